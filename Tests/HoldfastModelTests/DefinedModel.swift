import HoldfastModel

/// A model that is only its schema, so that tests can define schemas of any shape.
protocol DefinedModel: Model {}

extension DefinedModel {
    init(row: RowReader) throws(ModelError) { throw ModelError(.decodingFailed, "Has no rows.") }
    func write(to row: inout RowWriter) throws(ModelError) { throw ModelError(.encodingFailed, "Has no rows.") }
}

/// A field of any name.
struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A model whose key is one integer.
struct Counter: DefinedModel {
    static let schema = defineSchema(attributes: .primaryKey(fields: ["number"])) { model in
        model.fields(.field(Key("number"), ofType: .int))
    }
}

/// A model whose key is text and a day.
struct Visit: DefinedModel {
    static let schema = defineSchema(attributes: .primaryKey(fields: ["guest", "day"])) { model in
        model.fields(.field(Key("day"), ofType: .date), .field(Key("guest")))
    }
}

/// Defines a schema without a type of its own.
func schema(
    named name: String = "Thing", _ attributes: [ModelAttribute], _ fields: [ModelFieldDefinition]
) -> ModelSchema {
    Counter.defineSchema(name: name) { model in
        for field in fields { model.fields(field) }
        switch attributes.count {
        case 0: break
        case 1: model.attributes(attributes[0])
        case 2: model.attributes(attributes[0], attributes[1])
        default: model.attributes(attributes[0], attributes[1], attributes[2])
        }
    }
}
