import HoldfastStorage

/// What all records of a model have in common.
///
/// An object, since a page has thousands of records that are copied: a copy retains it once, and not all that an entity
/// consists of.
final class RecordShape: Sendable, Hashable {
    let entity: EntitySchema
    /// The columns of each foreign key that has several.
    ///
    /// They change together: a part of one key beside a part of another leads to no record.
    let jointColumns: [[Int]]
    /// The columns that only the service sets, for instance when a record was created.
    let readOnlyColumns: [Int]
    /// The names of the fields that a change can be about.
    let changeableFields: [String]

    init(_ entity: EntitySchema, jointColumns: [[Int]] = [], readOnlyColumns: [Int] = []) {
        self.entity = entity
        self.jointColumns = jointColumns
        self.readOnlyColumns = readOnlyColumns
        changeableFields = entity.fields.indices.filter { !readOnlyColumns.contains($0) }.map { entity.fields[$0].name }
    }

    static func == (left: RecordShape, right: RecordShape) -> Bool {
        left === right
            || left.entity == right.entity && left.jointColumns == right.jointColumns
                && left.readOnlyColumns == right.readOnlyColumns
    }

    func hash(into hasher: inout Hasher) { hasher.combine(entity.name) }
}
