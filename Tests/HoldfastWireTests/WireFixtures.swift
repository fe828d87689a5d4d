import HoldfastModel
import HoldfastWire

/// Models of the examples that clients of the service send.
enum WireFixtures {
    static let schemas: [String: ModelSchema] = Dictionary(
        uniqueKeysWithValues: [post, comment, author, book, secret, project].map { ($0.name, $0) })

    static let postModel = model("Post")
    static let commentModel = model("Comment4V2")
    static let bookModel = model("Book")

    static func model(_ name: String) -> WireModel {
        do {
            return try WireModel(schemas[name] ?? post, among: schemas)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func schema(
        _ name: String, rules: AuthRules = [], key: [String] = ["id"], indexes: [ModelAttribute] = [],
        _ fields: ModelField...
    ) -> ModelSchema {
        ModelSchema(
            name: name, authRules: rules, attributes: [.primaryKey(fields: key)] + indexes,
            fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) }))
    }

    private static func value(
        _ name: String, _ type: ModelFieldType = .string, required: Bool = false, readOnly: Bool = false
    ) -> ModelField {
        ModelField(name: name, type: type, isRequired: required, isReadOnly: readOnly)
    }

    private static let post = schema(
        "Post", value("id", required: true), value("title", required: true), value("content", required: true),
        value("createdAt", .dateTime, required: true), value("updatedAt", .dateTime), value("draft", .bool),
        value("rating", .double), value("status", .enum(type: Status.self)),
        ModelField(
            name: "comments", type: .collection(of: "Comment4V2"), association: .hasMany(associatedFieldName: "post")))

    private static let comment = schema(
        "Comment4V2", value("id", required: true), value("content", required: true),
        value("createdAt", .dateTime, readOnly: true), value("updatedAt", .dateTime, readOnly: true),
        ModelField(
            name: "post", type: .model(name: "Post"),
            association: .belongsTo(associatedFieldName: nil, targetNames: ["post4V2CommentsId"])))

    private static let author = schema(
        "Author", value("id", required: true), value("name", required: true), value("mood"),
        value("createdAt", .dateTime, readOnly: true), value("updatedAt", .dateTime, readOnly: true))

    private static let book = schema(
        "Book", key: ["isbn", "edition"], value("isbn", required: true), value("edition", .int, required: true),
        value("title", required: true), value("tags", .embeddedCollection(of: String.self)),
        ModelField(
            name: "author", type: .model(name: "Author"),
            association: .belongsTo(associatedFieldName: nil, targetNames: ["authorBooksId"])),
        value("createdAt", .dateTime, readOnly: true), value("updatedAt", .dateTime, readOnly: true))

    /// Has rules, an embedded value, and a relation without a stated key.
    private static let secret = schema(
        "Secret",
        rules: [
            AuthRule(allow: .owner, operations: [.create, .read]),
            AuthRule(allow: .owner, ownerField: "editors", provider: .userPools),
            AuthRule(allow: .owner, ownerField: "reader", identityClaim: "sub", provider: .oidc),
            AuthRule(allow: .groups, groups: ["Admin"], operations: [.read]),
        ],
        value("id", required: true), value("reader"), value("editors", .embeddedCollection(of: String.self)),
        value("place", .embedded(type: Place.self, schema: Place.schema)),
        value("places", .embeddedCollection(of: Place.self, schema: Place.schema)),
        value("score", .double), value("count", .int), value("day", .date), value("at", .time),
        value("when", .dateTime),
        ModelField(name: "post", type: .model(name: "Post"), association: .belongsTo))

    private static let project = schema(
        "project",
        indexes: [
            .index(fields: ["team", "year", "rank"], name: "byTeam"), .index(fields: ["note", "year"], name: "byNote"),
            .index(fields: ["note", "rank"], name: "byNoteAndRank"), .index(fields: ["id"], name: nil),
            .index(fields: ["stage", "end"], name: "byStage"),
            .index(fields: ["stage", "year"], name: "byStageAndYear"),
            .index(fields: ["place", "createdAt"], name: "byPlace"),
        ],
        value("id", required: true), value("team"), value("year", .int, required: true),
        value("rank", .int, required: true), value("note"), value("stage"), value("end", .int), value("place"),
        value("createdAt", .dateTime, readOnly: true))
}

enum Status: String, EnumPersistable {
    case draft, published
}

struct Place: Embeddable {
    var street: String
    var floors: [Floor]?

    static var schema: ModelSchema {
        ModelSchema(
            name: "Place",
            fields: [
                "street": ModelField(name: "street", type: .string, isRequired: true),
                "floors": ModelField(name: "floors", type: .embeddedCollection(of: Floor.self, schema: Floor.schema)),
            ])
    }
}

struct Floor: Embeddable {
    var number: Int

    static var schema: ModelSchema {
        ModelSchema(name: "Floor", fields: ["number": ModelField(name: "number", type: .int)])
    }
}

/// The text of JSON as bytes.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
