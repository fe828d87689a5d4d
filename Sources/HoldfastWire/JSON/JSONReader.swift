import HoldfastGraphQL
import HoldfastStorage

/// Reads one JSON text from its start to its end, without building a tree.
///
/// The whole text is checked before anything is read from it: UTF-8, the syntax of RFC 8259, and the limits. What is
/// left to fail are values of another type than the caller asks for. Each method reads the next value and moves past
/// it; a method that throws leaves the reader at the faulty value or inside it.
public struct JSONReader: ~Copyable {
    /// What sort of value comes next.
    public enum Kind: Sendable, Hashable {
        /// `null`.
        case null
        /// `true` or `false`.
        case boolean
        /// A number.
        case number
        /// A text.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    private init(checked bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Checks a text and reads its value.
    ///
    /// - Parameters:
    ///   - bytes: The whole text as UTF-8.
    ///   - limits: How much is read at most.
    ///   - body: Reads the value.
    /// - Returns: What `body` returns.
    /// - Throws: ``WireError`` `.syntax` or `.limit` with the offset of the faulty byte, or what `body` throws.
    public static func read<Result>(
        _ bytes: [UInt8], limits: JSONLimits = JSONLimits(),
        _ body: (inout JSONReader) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        guard bytes.count <= limits.bytes else {
            throw WireError(.limit, "\(bytes.count) bytes; at most \(limits.bytes) are read", offset: limits.bytes)
        }
        let outcome = bytes.withUnsafeBufferPointer { bytes in
            Swift.Result { () throws(WireError) in try checkAndRead(bytes, limits, body) }
        }
        return try outcome.get()
    }

    /// Checks a text and reads its value; as for bytes.
    public static func read<Result>(
        _ text: String, limits: JSONLimits = JSONLimits(),
        _ body: (inout JSONReader) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        try read(Array(text.utf8), limits: limits, body)
    }

    private static func checkAndRead<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits,
        _ body: (inout JSONReader) throws(WireError) -> Result
    ) throws(WireError) -> Result {
        if let offset = UTF8Check.firstFault(in: bytes) {
            throw WireError(.syntax, "bytes that are not UTF-8", offset: offset)
        }
        let fault = JSONSyntax.firstFault(in: bytes, maximumDepth: limits.depth, maximumValues: limits.values)
        if let fault {
            throw WireError(fault.isLimit ? .limit : .syntax, fault.problem, offset: fault.offset)
        }
        var reader = JSONReader(checked: bytes)
        return try body(&reader)
    }

    // MARK: - Scalars

    /// What sort of value comes next.
    public var next: Kind {
        mutating get {
            switch nextByte() {
            case UInt8(ascii: "{"): .object
            case UInt8(ascii: "["): .array
            case UInt8(ascii: "\""): .string
            case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
            case UInt8(ascii: "n"): .null
            default: .number
            }
        }
    }

    /// Reads `null` if it comes next; otherwise reads nothing.
    public mutating func isNull() -> Bool {
        guard nextByte() == UInt8(ascii: "n") else { return false }
        position &+= 4
        return true
    }

    /// Reads a boolean.
    ///
    /// - Throws: ``WireError`` `.mismatch` for another type.
    public mutating func boolean() throws(WireError) -> Bool {
        switch nextByte() {
        case UInt8(ascii: "t"):
            position &+= 4
            return true
        case UInt8(ascii: "f"):
            position &+= 5
            return false
        default: throw mismatch(.boolean)
        }
    }

    /// Reads a number with all its digits.
    ///
    /// - Throws: ``WireError`` `.mismatch` for another type.
    public mutating func number() throws(WireError) -> JSONNumber {
        JSONNumber(checked: String(decoding: try numberBytes(), as: UTF8.self))
    }

    /// Reads a text.
    ///
    /// - Throws: ``WireError`` `.mismatch` for another type, and for an escape of half a surrogate pair.
    public mutating func string() throws(WireError) -> String {
        guard nextByte() == UInt8(ascii: "\"") else { throw mismatch(.string) }
        let start = position
        let (content, hasEscapes) = stringContent()
        if !hasEscapes { return String(decoding: content, as: UTF8.self) }
        guard let text = JSONEscapes.decoded(content) else {
            position = start
            throw WireError(.mismatch, "an escape of half a surrogate pair, which is not a character")
        }
        return text
    }

    /// Moves past the next value.
    public mutating func skip() {
        var depth = 0
        repeat {
            switch nextByte() {
            case UInt8(ascii: "\""): _ = stringContent()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth &+= 1
                position &+= 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth &-= 1
                position &+= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): position &+= 1
            default: skipWord()
            }
        } while depth > 0 && position < bytes.count
    }

    // MARK: - Bytes

    /// The first byte of the next value, comma, or end of a container; 0 at the end of the text.
    @inline(__always)
    mutating func nextByte() -> UInt8 {
        while position < bytes.count {
            let byte = bytes[position]
            if byte > 0x20 { return byte }
            position &+= 1
        }
        return 0
    }

    /// The bytes of a number.
    mutating func numberBytes() throws(WireError) -> UnsafeBufferPointer<UInt8> {
        switch nextByte() {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
        default: throw mismatch(.number)
        }
        let start = position
        skipWord()
        return UnsafeBufferPointer(rebasing: bytes[start..<position])
    }

    /// The bytes between the quotes of the text that begins here, and whether there are escapes among them.
    @inline(__always)
    mutating func stringContent() -> (UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
        position &+= 1
        let start = position
        var hasEscapes = false
        while true {
            position &+= UTF8Scan.plainRun(bytes, from: position)
            guard position < bytes.count else { break }
            if bytes[position] == UInt8(ascii: "\"") {
                let content = UnsafeBufferPointer(rebasing: bytes[start..<position])
                position &+= 1
                return (content, hasEscapes)
            }
            // An escape, since the text was checked.
            hasEscapes = true
            position &+= 2
        }
        position = bytes.count
        return (UnsafeBufferPointer(rebasing: bytes[start..<position]), hasEscapes)
    }

    private mutating func skipWord() {
        while position < bytes.count {
            switch bytes[position] {
            case 0...0x20, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return
            default: position &+= 1
            }
        }
    }

    /// The error of a value of another type than `expected`.
    mutating func mismatch(_ expected: Kind) -> WireError {
        WireError(.mismatch, "\(next.phrase) where \(expected.phrase) is expected")
    }
}

extension JSONReader.Kind {
    /// The kind with its article, for messages.
    var phrase: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
