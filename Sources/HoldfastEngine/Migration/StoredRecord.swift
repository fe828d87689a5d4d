public import HoldfastStorage

/// A record on its way from the stored form of its model to the declared one.
public struct StoredRecord: Sendable {
    private let source: EntitySchema
    private let target: EntitySchema
    private let row: [Value]
    /// The cells of the new record, in the order of its fields.
    private(set) var cells: [Value]
    /// A field that was written and does not exist.
    private(set) var unknownField: String?

    init(_ row: [Value], from source: EntitySchema, to target: EntitySchema, cells: [Value]) {
        self.row = row
        self.source = source
        self.target = target
        self.cells = cells
    }

    /// The value of a field as it is stored, by its stored name; null if the stored model has no such field.
    public func stored(_ field: String) -> Value { source.position(of: field).map { row[$0] } ?? .null }

    /// The value of a field of the new record, by its present name.
    ///
    /// Reading a field that the model does not have gives null; writing one is an error when the step ends.
    public subscript(_ field: String) -> Value {
        get { target.position(of: field).map { cells[$0] } ?? .null }
        set {
            if let position = target.position(of: field) {
                cells[position] = newValue
            } else {
                unknownField = field
            }
        }
    }

    mutating func fill(_ position: Int, _ value: Value) {
        if cells[position].isNull { cells[position] = value }
    }
}
