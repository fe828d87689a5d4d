#if SQLite
internal import HoldfastStorage

/// Reads what ``SQLiteListCodec`` writes.
struct SQLiteListReader {
    private let json: UnsafeBufferPointer<UInt8>
    private let tails: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var tailIndex = 0

    init(json: UnsafeBufferPointer<UInt8>, tails: UnsafeBufferPointer<UInt8>) {
        self.json = json
        self.tails = tails
    }

    /// Whether both texts are read to their ends.
    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return index == json.count && tailIndex >= tails.count
        }
    }

    /// Reads an array, or `nil` if there is none.
    mutating func list(of type: StorageType) -> [Value]? {
        guard take(UInt8(ascii: "[")) else { return nil }
        if take(UInt8(ascii: "]")) { return [] }
        var elements: [Value] = []
        repeat {
            guard let element = element(of: type) else { return nil }
            elements.append(element)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? elements : nil
    }

    private mutating func element(of type: StorageType) -> Value? {
        skipSpace()
        if take(word: "null") { return .null }
        switch type {
        case .boolean:
            if take(word: "true") { return .boolean(true) }
            return take(word: "false") ? .boolean(false) : nil
        case .integer: return number().flatMap { Int64($0) }.map { .integer($0) }
        case .double: return number().flatMap { Double($0) }.map { .double($0) }
        case .text, .json: return string().flatMap { String(validating: $0, as: UTF8.self) }.map { .text($0) }
        case .bytes: return string().flatMap { $0.withUnsafeBufferPointer(Base64.decode) }.map { .bytes($0) }
        case .date: return temporal { CalendarDate(dayText: $0, tail: $1).map { .date($0) } }
        case .time: return temporal { ClockTime(clockText: $0, tail: $1).map { .time($0) } }
        case .timestamp: return temporal { Timestamp(utcText: $0, tail: $1).map { .timestamp($0) } }
        case .list(let element): return list(of: element).map { .list($0) }
        }
    }

    private mutating func temporal(
        _ make: (UnsafeBufferPointer<UInt8>, WrittenForm) -> Value?
    ) -> Value? {
        guard let text = string() else { return nil }
        var end = tailIndex
        while end < tails.count, tails[end] != UInt8(ascii: ",") { end += 1 }
        guard tailIndex <= end, end <= tails.count,
            let tail = WrittenForm(text: UnsafeBufferPointer(rebasing: tails[tailIndex..<end]))
        else { return nil }
        tailIndex = end + 1
        return text.withUnsafeBufferPointer { make($0, tail) }
    }

    // MARK: - Tokens

    private mutating func skipSpace() {
        while index < json.count, json[index] == 0x20 || (0x09...0x0D).contains(json[index]) { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard index < json.count, json[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func take(word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard index + count <= json.count else { return false }
        for offset in 0..<count where json[index + offset] != word.utf8Start[offset] { return false }
        index += count
        return true
    }

    private mutating func number() -> Substring? {
        let start = index
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                index += 1
            default: return Substring(decoding: json[start..<index], as: UTF8.self)
            }
        }
        return Substring(decoding: json[start..<index], as: UTF8.self)
    }

    /// The bytes of a string with its escapes resolved.
    private mutating func string() -> [UInt8]? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        var bytes: [UInt8] = []
        while index < json.count {
            let byte = json[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return bytes
            case UInt8(ascii: "\\"):
                guard appendEscape(to: &bytes) else { return nil }
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private mutating func appendEscape(to bytes: inout [UInt8]) -> Bool {
        guard index < json.count else { return false }
        let escape = json[index]
        index += 1
        switch escape {
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escape)
        case UInt8(ascii: "u"):
            guard index + 4 <= json.count,
                let code = UInt32(String(decoding: json[index..<index + 4], as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(code)
            else { return false }
            index += 4
            bytes.append(contentsOf: String(Character(scalar)).utf8)
        default: return false
        }
        return true
    }
}
#endif
