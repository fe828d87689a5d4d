import HoldfastStorage
import HoldfastWire

extension FieldType {
    /// The cell that keeps a coerced value.
    ///
    /// - Throws: ``InvalidScalar`` for a value that was not coerced.
    func cell(_ value: JSONValue) throws(InvalidScalar) -> Value {
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
