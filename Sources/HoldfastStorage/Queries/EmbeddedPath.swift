/// A place inside the JSON objects of a field: the members that lead from the field to a value.
///
/// A path through a list leads to one value for each element. A member that is missing, or holds a value of another
/// type, is null.
public struct EmbeddedPath: Sendable, Hashable {
    /// The position of the field in a row; it holds JSON objects, or lists of them.
    public var position: Int
    /// The names of the members on the way, outermost first.
    public var members: [String]
    /// The type of the values at the end.
    public var type: FieldType
    /// Whether there is a list on the way, so that there may be several values or none.
    public var leadsThroughList: Bool

    /// Creates a path; by default without a list on the way.
    public init(position: Int, members: [String], type: FieldType, leadsThroughList: Bool = false) {
        self.position = position
        self.members = members
        self.type = type
        self.leadsThroughList = leadsThroughList
    }

    /// The values to which the path leads, in the order of the lists on the way; one if there is none on the way.
    ///
    /// - Parameter row: All cells of a record, in the order of its entity's fields.
    /// - Returns: The values; a single `.null` if the field is null.
    /// - Complexity: O(n) in the bytes of the field's JSON.
    public func values(in row: UnsafeBufferPointer<Value>) -> [Value] {
        var values: [Value] = []
        collect(from: row[position], into: &values)
        return values
    }

    private func collect(from cell: Value, into values: inout [Value]) {
        switch cell {
        case .text(let json): JSONMembers.read(members, in: json, as: type) { values.append($0) }
        case .list(let elements): for element in elements { collect(from: element, into: &values) }
        default: values.append(.null)
        }
    }
}
