import HoldfastGraphQL
import HoldfastStorage
import HoldfastWire

// Records as JSON, for conflict functions and for administrators.
extension ServerModel {
    /// A record with all fields of the API that are not null, and those that changes have made so.
    ///
    /// A conflict function returns members that stay: without a null it would keep a value that the mutation removes.
    func json(_ row: [Value], after changes: [Mutation.Change] = []) -> JSONObject {
        let changed = Set(changes.map(\.position))
        var object = JSONObject()
        for column in columns where !row[column.position].isNull || changed.contains(column.position) {
            object[column.name] = Self.json(row[column.position], column.type)
        }
        return object
    }

    /// A record with its model and all fields, those that are null too.
    ///
    /// - Parameters:
    ///   - row: All cells of the record.
    ///   - includesMetadata: Whether what only the service sets is part of it.
    /// - Returns: The members: those of the key, then the others in the order of the API.
    func record(_ row: some RandomAccessCollection<Value>, includesMetadata: Bool) -> JSONObject {
        var object: JSONObject = ["__typename": .string(name)]
        for name in key { object[name] = .null }
        for (column, value) in zip(columns, row) where includesMetadata || column.position < version {
            object[column.name] = Self.json(value, column.type)
        }
        return object
    }

    private static func json(_ value: Value, _ type: FieldType) -> WireValue {
        switch (value, type) {
        case (.null, _), (.bytes, _): .null
        case (.integer(let integer), _): .integer(integer)
        case (.double(let double), _): JSONNumber(double).map(WireValue.number) ?? .null
        case (.boolean(let boolean), _): .boolean(boolean)
        case (.text(let text), .embedded), (.text(let text), .list(.embedded, _)):
            (try? WireValue(parsing: Array(text.utf8))) ?? .null
        case (.list(let elements), .list(let element, _)): .array(elements.map { json($0, element) })
        default: value.shownText.map(WireValue.string) ?? .null
        }
    }

    /// A row made of JSON; the key, fields that the JSON lacks, and times that are null are those of another row.
    ///
    /// `nil` if a value does not fit, or one is taken away without which clients cannot read the record.
    func row(_ object: JSONObject, over stored: [Value], in api: GraphQLSchema) -> [Value]? {
        var row = stored
        let coercion = InputCoercion(api: api)
        for member in object.members {
            guard let column = column(member.name), column.position < version, !key.contains(column.name),
                !(member.value.isNull && isSystem(column.name))
            else { continue }
            // What a function leaves as it was may be of an earlier schema.
            if member.value == Self.json(stored[column.position], column.type) { continue }
            guard !(member.value.isNull && column.isRequired),
                let value = try? coercion.coerce(member.value, as: column.inputType.nullable, named: column.name),
                let cell = try? column.type.cell(value)
            else { return nil }
            row[column.position] = cell
        }
        return row
    }
}
