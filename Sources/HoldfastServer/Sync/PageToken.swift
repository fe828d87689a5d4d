import HoldfastStorage
import HoldfastWire

/// Where the next page of a list begins, as clients carry it: signed, so that it says what the service wrote, and
/// hidden, since it has a key that the client may not be allowed to read.
struct PageToken: Sendable, Equatable {
    /// The label that the first page answered; 0 for lists that have none.
    var label: Int64 = 0
    /// The page has the commits after the first and up to the second; 0 and 0 where commits do not matter.
    var after: UInt64 = 0
    var through: UInt64 = 0
    /// The version of the last record of the page before, where records are read by version.
    var version: UInt64 = 0
    /// The cells of the last record of the page before that decide the order; empty if that page ended after the last
    /// record of a commit.
    var cursor: [Value] = []

    private static let digestByteCount = 16

    init(
        label: Int64 = 0, after: UInt64 = 0, through: UInt64 = 0, version: UInt64 = 0, cursor: [Value]
    ) {
        self.label = label
        self.after = after
        self.through = through
        self.version = version
        self.cursor = cursor
    }

    /// The token as text.
    ///
    /// - Parameters:
    ///   - secret: What the service signs and hides with.
    ///   - context: The question of which this is a page; a token works for no other one.
    /// - Returns: The hidden content and its signature, in Base64 for URLs.
    func text(secret: (UInt64, UInt64), context: String) -> String {
        var bytes: [UInt8] = []
        for word in [UInt64(bitPattern: label), after, through, version] { Self.append(word, to: &bytes) }
        for value in cursor { Self.append(value, to: &bytes) }
        let digest = Self.digest(bytes, secret, context)
        return Base64.text(Self.hidden(bytes, digest, secret) + digest, isForURLs: true)
    }

    /// Reads a token; `nil` unless this service made it for the same question.
    init?(text: String, secret: (UInt64, UInt64), context: String) {
        // It is as long as the fields that decide the order, and no longer than a request.
        guard let all = Base64.bytes(text), all.count >= 32 + 16 else { return nil }
        let digest = Array(all.suffix(Self.digestByteCount))
        let bytes = Self.hidden(Array(all.dropLast(Self.digestByteCount)), digest, secret)
        // The time of the comparison must not say where the digests differ.
        let difference = zip(digest, Self.digest(bytes, secret, context)).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 }
        guard difference == 0 else { return nil }
        var reader = bytes[...]
        label = Int64(bitPattern: Self.word(&reader))
        after = Self.word(&reader)
        through = Self.word(&reader)
        version = Self.word(&reader)
        while !reader.isEmpty {
            guard let value = Self.value(&reader) else { return nil }
            cursor.append(value)
        }
    }

    private static func digest(_ bytes: [UInt8], _ secret: (UInt64, UInt64), _ context: String) -> [UInt8] {
        SipHash.digest(Array(context.utf8) + [0] + bytes, key: secret)
    }

    /// The content of a token hidden, or hidden content shown again.
    ///
    /// It is combined with a stream of digests that begins with that of the content, which takes the place of a random
    /// number: two tokens with the same stream have the same content.
    ///
    /// *Source:* Rogaway and Shrimpton, "Deterministic authenticated-encryption", 2006 (SIV).
    private static func hidden(_ bytes: [UInt8], _ digest: [UInt8], _ secret: (UInt64, UInt64)) -> [UInt8] {
        // A key of its own; what is signed is longer than a byte.
        var words = SipHash.digest([0xFF], key: secret)[...]
        let key = (word(&words), word(&words))
        var stream: [UInt8] = []
        while stream.count < bytes.count {
            var block = digest
            append(UInt64(stream.count), to: &block)
            stream += SipHash.digest(block, key: key)
        }
        return zip(bytes, stream).map { $0 ^ $1 }
    }

    // MARK: - Values

    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
    }

    private static func word(_ reader: inout ArraySlice<UInt8>) -> UInt64 {
        let word = reader.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        reader = reader.dropFirst(8)
        return word
    }

    private static func append(_ value: Value, to bytes: inout [UInt8]) {
        func append(_ tag: Character, _ text: String) {
            bytes.append(tag.asciiValue ?? 0)
            Self.append(UInt64(text.utf8.count), to: &bytes)
            bytes += text.utf8
        }
        func append(_ tag: Character, _ word: UInt64) {
            bytes.append(tag.asciiValue ?? 0)
            Self.append(word, to: &bytes)
        }
        switch value {
        case .text(let text): append("x", text)
        case .date(let date): append("d", date.text)
        case .time(let time): append("t", time.text)
        case .timestamp(let timestamp): append("s", timestamp.text)
        case .integer(let integer): append("i", UInt64(bitPattern: integer))
        case .double(let double): append("f", double.bitPattern)
        case .boolean(let boolean): append("b", boolean ? 1 : 0)
        // Keys and sorts hold neither bytes nor lists.
        case .null, .bytes, .list: append("n", 0)
        }
    }

    private static func value(_ reader: inout ArraySlice<UInt8>) -> Value? {
        guard reader.count >= 9, let tag = reader.popFirst() else { return nil }
        let word = word(&reader)
        switch Character(UnicodeScalar(tag)) {
        case "n": return .null
        case "i": return .integer(Int64(bitPattern: word))
        case "f": return .double(Double(bitPattern: word))
        case "b": return .boolean(word == 1)
        case let sign:
            guard let count = Int(exactly: word), count <= reader.count else { return nil }
            let text = String(decoding: reader.prefix(count), as: UTF8.self)
            reader = reader.dropFirst(count)
            switch sign {
            case "x": return .text(text)
            case "d": return (try? CalendarDate(parsing: text)).map(Value.date)
            case "t": return (try? ClockTime(parsing: text)).map(Value.time)
            case "s": return (try? Timestamp(parsing: text)).map(Value.timestamp)
            default: return nil
            }
        }
    }
}
