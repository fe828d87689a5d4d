import HoldfastStorage
import HoldfastWire

extension FieldType {
    /// The cell that keeps a coerced value.
    ///
    /// - Throws: ``InvalidScalar`` for a value that was not coerced.
    func cell(_ value: WireValue) throws(InvalidScalar) -> Value {
        switch (self, value) {
        case (_, .null): return .null
        case (.list(let element, _), .array(let values)):
            var cells: [Value] = []
            for value in values { cells.append(try element.cell(value)) }
            return .list(cells)
        case (.embedded, _): return .text(value.text)
        case (.float, .number(let number)): return try canonical(.double(number.double ?? .nan))
        default: return try canonical(value.operand)
        }
    }
}

extension ServerModel.Column {
    /// The cell of a part of a key as a request names it.
    ///
    /// A key that the author did not choose is an ID in the API, even if the field is declared as another scalar.
    ///
    /// - Throws: ``RequestFault`` for a value that is not one of the field.
    func keyCell(_ value: WireValue) throws -> Value {
        do {
            return try type.cell(try InputCoercion.scalar(value, type, name))
        } catch let fault as InputFault {
            throw RequestFault(fault)
        }
    }
}
