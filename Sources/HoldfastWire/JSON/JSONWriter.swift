import HoldfastStorage

/// Writes JSON as bytes, without white space.
///
/// Commas are written where they are needed. The caller keeps the order: in an object a name, then its value.
public struct JSONWriter: Sendable {
    /// What was written, as UTF-8.
    public private(set) var bytes: [UInt8] = []

    /// Creates a writer that has written nothing.
    public init() {}

    /// Forgets what was written and keeps the space.
    public mutating func reset() { bytes.removeAll(keepingCapacity: true) }

    // MARK: - Containers

    /// Writes an object whose members `body` writes.
    @inline(__always)
    public mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// Writes an array whose elements `body` writes.
    @inline(__always)
    public mutating func array<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// Writes the name of a member, whose value must follow.
    public mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: - Values

    /// Writes `null`.
    public mutating func null() { word("null") }

    /// Writes a boolean.
    public mutating func boolean(_ value: Bool) { word(value ? "true" : "false") }

    /// The bytes of the longest whole number: a sign and 19 digits.
    private static let integerByteCount = 20

    /// Writes a whole number.
    public mutating func integer(_ value: Int64) {
        separate()
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.integerByteCount) { digits in
            var start = digits.count
            var rest = value.magnitude
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Writes a number with the fewest digits that read back as it; NaN and the infinities as `null`.
    public mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Writes a number as it is written.
    public mutating func number(_ value: JSONNumber) { raw(value.text) }

    /// Writes a text; only what JSON demands is escaped.
    public mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        value.withBytes { content in
            var index = 0
            while index < content.count {
                let run = UTF8Scan.plainRun(content, from: index)
                if run > 0 {
                    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[index..<index + run]))
                    index += run
                }
                if index < content.count {
                    escaped(content[index])
                    index += 1
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value.
    public mutating func value(_ value: WireValue) {
        switch value {
        case .null: null()
        case .boolean(let value): boolean(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let elements): array { writer in for element in elements { writer.value(element) } }
        case .object(let object):
            self.object { writer in
                for member in object.members {
                    writer.name(member.name)
                    writer.value(member.value)
                }
            }
        }
    }

    /// Writes text that is known to be one JSON value.
    mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes bytes that are known to be the text of one JSON value.
    mutating func raw(_ text: [UInt8]) {
        separate()
        bytes.append(contentsOf: text)
    }

    /// Begins an object; for callers whose members cannot be written in one closure.
    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    /// Ends an object that ``beginObject()`` began.
    package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    /// Begins an array; for callers whose elements cannot be written in one closure.
    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    /// Ends an array that ``beginArray()`` began.
    package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// Takes back what was written after the first bytes.
    ///
    /// - Parameter count: A former count of ``bytes``, from before a value or a name.
    package mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

    // MARK: - Bytes

    /// Writes a comma if a value or member comes before in the container.
    ///
    /// The last byte decides: these three are the last only before the first value of a container, before any value, or
    /// between a name and its value, since a string ends with its quote.
    @inline(__always)
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func word(_ word: StaticString) {
        separate()
        bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    @inline(__always)
    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0A: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
        case 0x0D: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
        case 0x09: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 0x0F)])
        default: bytes.append(byte)
        }
    }
}
