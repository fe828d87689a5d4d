import HoldfastModel

/// A model of the simulation; all have the same fields, so that one operation fits each.
protocol SimulatedModel: Model {
    var title: String { get set }
    var body: String? { get set }
    var rating: Int? { get set }
    var tags: [String]? { get set }

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - id: The id of the record.
    ///   - title: Its title.
    ///   - parent: The id of the record that it belongs to.
    /// - Returns: The new record.
    static func make(_ id: String, title: String, parent: String?) -> Self
}

/// What nothing has to belong to.
struct Folder: SimulatedModel {
    let id: String
    var title: String
    var body: String?
    var rating: Int?
    var tags: [String]?

    enum CodingKeys: String, ModelKey { case id, title, body, rating, tags }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Folders"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.title), .field(keys.body, is: .optional),
            .field(keys.rating, is: .optional, ofType: .int),
            .field(keys.tags, is: .optional, ofType: .embeddedCollection(of: String.self)))
    }

    static func make(_ id: String, title: String, parent: String?) -> Folder { Folder(id: id, title: title) }
}

/// What may belong to a folder.
struct Paper: SimulatedModel {
    let id: String
    var title: String
    var body: String?
    var rating: Int?
    var tags: [String]?
    var folder: LazyReference<Folder>

    enum CodingKeys: String, ModelKey { case id, title, body, rating, tags, folder }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Papers"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.title), .field(keys.body, is: .optional),
            .field(keys.rating, is: .optional, ofType: .int),
            .field(keys.tags, is: .optional, ofType: .embeddedCollection(of: String.self)),
            .belongsTo(keys.folder, is: .optional, ofType: Folder.self, targetNames: ["folderId"]))
    }

    static func make(_ id: String, title: String, parent: String?) -> Paper {
        Paper(id: id, title: title, folder: LazyReference(parent.map { Folder(id: $0, title: "") }))
    }
}

/// What must belong to a paper.
struct Remark: SimulatedModel {
    let id: String
    var title: String
    var body: String?
    var rating: Int?
    var tags: [String]?
    var paper: LazyReference<Paper>

    enum CodingKeys: String, ModelKey { case id, title, body, rating, tags, paper }
    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.pluralName = "Remarks"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.title), .field(keys.body, is: .optional),
            .field(keys.rating, is: .optional, ofType: .int),
            .field(keys.tags, is: .optional, ofType: .embeddedCollection(of: String.self)),
            .belongsTo(keys.paper, is: .required, ofType: Paper.self, targetNames: ["paperId"]))
    }

    static func make(_ id: String, title: String, parent: String?) -> Remark {
        Remark(id: id, title: title, paper: LazyReference(Paper.make(parent ?? "", title: "", parent: nil)))
    }
}

/// The models of the simulation, as the service has them.
enum SimulatedSchema {
    static let service = """
        type Folder @model @auth(rules: [{ allow: public }]) {
          title: String! body: String rating: Int tags: [String]
          papers: [Paper] @hasMany(indexName: "byFolder", fields: ["id"])
        }
        type Paper @model @auth(rules: [{ allow: public }]) {
          title: String! body: String rating: Int tags: [String]
          folderId: ID @index(name: "byFolder") folder: Folder @belongsTo(fields: ["folderId"])
          remarks: [Remark] @hasMany(indexName: "byPaper", fields: ["id"])
        }
        type Remark @model @auth(rules: [{ allow: public }]) {
          title: String! body: String rating: Int tags: [String]
          paperId: ID! @index(name: "byPaper") paper: Paper! @belongsTo(fields: ["paperId"])
        }
        """

    static let schemas = ["Folder": Folder.schema, "Paper": Paper.schema, "Remark": Remark.schema]

    static func type(of model: SimulatedModelName) -> any SimulatedModel.Type {
        switch model {
        case .folder: Folder.self
        case .paper: Paper.self
        case .remark: Remark.self
        }
    }
}

/// Names a model of the simulation.
public enum SimulatedModelName: String, Sendable, Hashable, Codable, CaseIterable {
    case folder = "Folder"
    case paper = "Paper"
    case remark = "Remark"
}
