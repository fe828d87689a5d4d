public import HoldfastStorage

extension JSONWriter {
    /// Writes a field's value as the dialect has it: dates as text, embedded values as objects, `AWSJSON` as a string.
    ///
    /// - Parameters:
    ///   - value: A stored value; bytes, which the dialect does not have, are written as an array of numbers.
    ///   - type: The field's type.
    public mutating func cell(_ value: Value, of type: FieldType) {
        switch value {
        case .null: null()
        case .boolean(let value): boolean(value)
        case .integer(let value): integer(value)
        case .double(let value): double(value)
        case .text(let text):
            if case .embedded = type { raw(text) } else { string(text) }
        case .bytes(let bytes): array { writer in for byte in bytes { writer.integer(Int64(byte)) } }
        case .date(let value): string(value.text)
        case .time(let value): string(value.text)
        case .timestamp(let value): string(value.text)
        case .list(let values):
            var element = type
            if case .list(let inner, _) = type { element = inner }
            array { writer in for value in values { writer.cell(value, of: element) } }
        }
    }
}

extension WireValue {
    /// A field's value as the dialect has it; see ``JSONWriter/cell(_:of:)``.
    public init(_ value: HoldfastStorage.Value, of type: FieldType) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = JSONNumber(value).map { .number($0) } ?? .null
        case .text(let text):
            guard case .embedded = type else {
                self = .string(text)
                return
            }
            // What is stored was checked; text of an older store that is not JSON is sent as the string that it is.
            self = (try? WireValue(parsing: Array(text.utf8), limits: JSONLimits(depth: 512))) ?? .string(text)
        case .bytes(let bytes): self = .array(bytes.map { .integer(Int64($0)) })
        case .date(let value): self = .string(value.text)
        case .time(let value): self = .string(value.text)
        case .timestamp(let value): self = .string(value.text)
        case .list(let values):
            var element = type
            if case .list(let inner, _) = type { element = inner }
            self = .array(values.map { WireValue($0, of: element) })
        }
    }

    /// The value as a field's, in the form in which it is stored; see ``JSONReader/cell(of:isLenient:)``.
    ///
    /// - Throws: ``WireError`` `.mismatch` for a value that the type does not admit.
    public func cell(of type: FieldType, isLenient: Bool = false) throws(WireError) -> HoldfastStorage.Value {
        try JSONReader.read(text, limits: JSONLimits(bytes: .max, depth: 512, values: .max)) {
            (reader) throws(WireError) in try reader.cell(of: type, isLenient: isLenient)
        }
    }
}
