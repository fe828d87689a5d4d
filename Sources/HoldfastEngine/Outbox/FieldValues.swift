package import HoldfastStorage

/// Values of a record's fields as JSON text, from which exactly the same values come back.
///
/// Dates and times are text as written. JSON is text within the text, since it is opaque.
package enum FieldValues {
    /// What ``OutboxEntry/before`` says where there was no record.
    static let noRecord = "null"

    /// What ``OutboxEntry/payload`` says where the values that were sent are those that the record has.
    static let notFrozen = "{}"

    /// A JSON object of some fields of a row.
    package static func text(
        _ row: some RandomAccessCollection<Value>, _ positions: some Sequence<Int>, of entity: EntitySchema
    )
        -> String
    {
        var json = JSONText()
        json.object(positions) { json, position in
            json.member(entity.fields[position].name, row[row.index(row.startIndex, offsetBy: position)])
        }
        return json.text
    }

    /// A JSON object of all fields of a row.
    package static func text(_ row: some RandomAccessCollection<Value>, of entity: EntitySchema) -> String {
        text(row, entity.fields.indices, of: entity)
    }

    /// The values of some fields; null for those that the text lacks.
    static func values(_ text: String, _ positions: [Int], of entity: EntitySchema) -> [Value] {
        positions.map { position in
            let field = entity.fields[position]
            var value = Value.null
            JSONMembers.read([field.name], in: text, as: field.type.withoutJSON) { value = $0 }
            return value
        }
    }

    /// The fields of a text, and those of an earlier one that it lacks.
    static func joined(_ text: String, _ earlier: String, of entity: EntitySchema) -> String {
        var row = [Value](repeating: .null, count: entity.fields.count)
        var positions: [Int] = []
        for (position, field) in entity.fields.enumerated() {
            guard let source = [text, earlier].first(where: { JSONMembers.contains(field.name, in: $0) }) else {
                continue
            }
            row[position] = values(source, [position], of: entity)[0]
            positions.append(position)
        }
        return self.text(row, positions, of: entity)
    }

    /// A row of all fields.
    package static func row(_ text: String, of entity: EntitySchema) -> [Value] {
        values(text, Array(entity.fields.indices), of: entity)
    }
}

extension FieldType {
    /// The type with text in place of JSON.
    fileprivate var withoutJSON: FieldType {
        switch self {
        case .json, .embedded: .string
        case .list(let element, let elementsAreRequired):
            .list(of: element.withoutJSON, elementsAreRequired: elementsAreRequired)
        default: self
        }
    }
}
