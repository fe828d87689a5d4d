public import HoldfastStorage

extension JSONReader {
    /// Reads a field's value in the form in which it is stored.
    ///
    /// `null` is null. Embedded values become JSON text with sorted members, without nulls and `__typename`, as the
    /// store keeps them. `AWSJSON` comes as a string that contains JSON.
    ///
    /// - Parameters:
    ///   - type: The field's type.
    ///   - isLenient: Whether the value is an argument, which clients write in several ways: a number as text and text
    ///     as a number, and one value for a list of it. `false` by default.
    /// - Returns: The value as the store keeps it.
    /// - Throws: ``WireError`` `.mismatch` for a value that the type does not admit.
    public mutating func cell(of type: FieldType, isLenient: Bool = false) throws(WireError) -> Value {
        try cell(CellKind(type), type, isLenient: isLenient)
    }

    /// Reads a field's value as ``cell(of:isLenient:)``; most kinds need no more than the kind.
    @inline(__always)
    mutating func cell(
        _ kind: CellKind, _ type: @autoclosure () -> FieldType, isLenient: Bool = false
    ) throws(WireError) -> Value {
        let first = nextByte()
        if first == UInt8(ascii: "n") {
            position &+= 4
            return .null
        }
        switch kind {
        case .text where first == UInt8(ascii: "\""):
            let start = position
            let text = try string()
            // Only an escape can mean U+0000, and an escape is longer than its character.
            if position &- start &- 2 != text.utf8.count { try check(type(), .text(text)) }
            return .text(text)
        case .integer where first != UInt8(ascii: "\""): return .integer(try integer())
        case .double where first != UInt8(ascii: "\""): return .double(try double())
        case .boolean: return .boolean(try boolean())
        case .timestamp where first == UInt8(ascii: "\""):
            let start = position
            let (content, hasEscapes) = stringContent()
            if !hasEscapes, let timestamp = Timestamp(utf8: content) { return .timestamp(timestamp) }
            position = start
            return try other(kind, type(), isLenient: isLenient)
        case .list: return try list(of: type(), isLenient: isLenient)
        case .embedded: return .text(try embeddedText())
        default: return try other(kind, type(), isLenient: isLenient)
        }
    }

    private mutating func other(_ kind: CellKind, _ type: FieldType, isLenient: Bool) throws(WireError) -> Value {
        switch kind {
        case .integer where isLenient, .double where isLenient:
            guard let number = Double(try string()) else { throw WireError(.mismatch, "text that is not a number") }
            if kind == .double { return try canonical(type, .double(number)) }
            guard let integer = Int64(exactly: number) else {
                throw WireError(.mismatch, "text that is not a whole number of 64 bits")
            }
            return .integer(integer)
        case .integer, .double: throw mismatch(.number)
        case .text where isLenient && next == .number: return .text(try number().text)
        case .bytes: throw WireError(.unsupported, "bytes, which the dialect does not have")
        default: return try canonical(type, .text(try string()))
        }
    }

    private mutating func list(of type: FieldType, isLenient: Bool) throws(WireError) -> Value {
        guard case .list(let element, let elementsAreRequired) = type else { throw mismatch(.array) }
        let kind = CellKind(element)
        if isLenient, next != .array { return .list([try cell(kind, element, isLenient: true)]) }
        var values: [Value] = []
        try array { (reader, _) throws(WireError) in
            let value = try reader.cell(kind, element, isLenient: isLenient)
            if elementsAreRequired, value.isNull { throw WireError(.mismatch, "null where a value is required") }
            values.append(value)
        }
        return .list(values)
    }

    private func check(_ type: FieldType, _ value: Value) throws(WireError) { _ = try canonical(type, value) }

    private func canonical(_ type: FieldType, _ value: Value) throws(WireError) -> Value {
        do { return try type.canonical(value) } catch { throw WireError(.mismatch, error.description) }
    }
}
