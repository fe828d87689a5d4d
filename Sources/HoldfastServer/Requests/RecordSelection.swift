import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// What a request selects of the records of a model.
final class RecordSelection: Sendable {
    /// A member of the object that a record becomes.
    struct Entry: Sendable {
        /// The name in the response.
        let response: String
        /// The same as it is written with each record.
        let name: WrittenName
        let content: Content

        init(response: String, content: Content) {
            self.response = response
            self.content = content
            name = WrittenName(response)
        }
    }

    /// What a member holds.
    enum Content: Sendable {
        /// The name of the type.
        case typename
        /// The value of a field, for those who may read it.
        case column(ServerModel.Column, FieldReading, ObjectSelection?)
        /// Another record, or a page of them: a place in ``RecordSelection/relations``.
        case relation(Int)
    }

    let model: ServerModel
    let entries: [Entry]
    let relations: [SelectedRelation]

    init(_ model: ServerModel, entries: [Entry], relations: [SelectedRelation]) {
        self.model = model
        self.entries = entries
        self.relations = relations
    }
}

/// Whether a field is shown.
enum FieldReading: Sendable {
    /// With every record.
    case always
    /// Never, which is an error.
    case denied
    /// Never; the field is null.
    case hidden
    /// With records that match; otherwise it is an error, or, if it is hidden, null.
    case when(RecordFilter, isHidden: Bool)
}

/// What a request selects of the other side of a relation.
struct SelectedRelation: Sendable {
    /// The name of the field.
    var field: String
    /// The type of the field.
    var type: TypeReference
    var relation: APIRelation
    /// Whether the field is shown.
    var reading: FieldReading
    /// Which records of the other model may be read.
    var permission: Permission
    /// What is selected.
    var target: Target

    enum Target: Sendable {
        case record(RecordSelection)
        case page(PageSelection, arguments: JSONObject)
    }

    /// The other model.
    var model: ServerModel {
        switch target {
        case .record(let selection): selection.model
        case .page(let selection, _): selection.model
        }
    }
}

/// What a request selects of a page of records.
struct PageSelection: Sendable {
    /// A member of the object that a page becomes.
    enum Content: Sendable {
        case typename
        /// The records: a place in ``PageSelection/items``.
        case items(Int)
        case nextToken
        case startedAt
        /// A field that is not shown.
        case denied(String)
    }

    var model: ServerModel
    var entries: [(response: String, content: Content)]
    /// What is selected of the records, once for each time that they are selected.
    var items: [RecordSelection]
}

/// What a request selects of an object inside a field.
struct ObjectSelection: Sendable {
    /// The name of the type.
    var type: String
    var entries: [Entry]

    struct Entry: Sendable {
        /// The name in the response.
        var response: String
        /// The name of the member; `nil` for the name of the type.
        var member: String?
        var type: TypeReference
        /// What is selected of an object; empty for a value.
        var selection: [ObjectSelection]
        /// Whether it is not shown.
        var isDenied: Bool
    }
}
