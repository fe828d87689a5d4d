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
