import HoldfastStorage

/// A model that continues, perhaps with other names, values, and keys.
struct KeptModel: Sendable {
    /// The model as stored.
    let source: EntitySchema
    /// The model's present form.
    let target: EntitySchema
    /// What is done to values.
    let values: ValueSteps
    /// Brings a stored record to its present form; `nil` if it is given up.
    let migrate: @Sendable (_ row: [Value]) throws(StorageError) -> [Value]?
    /// The present name of each stored field that has one.
    let newNames: [String: String]
    /// What the transforms did with the keys; `nil` if nothing can have happened to them.
    let keys: KeyChanges?

    /// The stored names of fields under their present ones, in the model's order, without those that are gone.
    func renamed(_ fields: [String]) -> [String] {
        let names = Set(fields.compactMap { newNames[$0] })
        return target.fields.map(\.name).filter(names.contains)
    }

    /// A whole record as JSON text, in its present form under a present key; `nil` if it is given up.
    func migrated(_ text: String, at key: String) throws(StorageError) -> String? {
        if values.isEmpty { return renamed(members: text) }
        guard var row = try migrate(FieldValues.row(text, of: source)) else { return nil }
        guard let key = RecordKey(outboxText: key, of: target) else { return nil }
        for (position, value) in zip(target.primaryKeyPositions, key.components) { row[position] = value }
        return FieldValues.text(row, of: target)
    }

    /// Values of fields, or a condition, as JSON text, under the present names of the fields.
    ///
    /// If a field now has the name of one that is gone, what is said of the latter gets a name that no field can have.
    /// A service refuses a condition with such a name, instead of looking at another field.
    func renamed(members text: String) -> String {
        var names = newNames.filter { $0.key != $0.value }
        for field in source.fields where newNames[field.name] == nil && target.position(of: field.name) != nil {
            names[field.name] = field.name + "-"
        }
        return names.isEmpty ? text : JSONNames.renamed(names, in: text)
    }
}
