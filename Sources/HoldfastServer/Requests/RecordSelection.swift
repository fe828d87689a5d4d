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
        /// Another record, or a page of them: a position in ``RecordSelection/relations``.
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

    /// The same for those who may use a record and not read it.
    var ofUnreadable: RecordSelection {
        let entries = entries.map { entry in
            guard case .column(let column, _, let object) = entry.content, !model.isOpen(column.name) else {
                return entry
            }
            return Entry(response: entry.response, content: .column(column, .denied, object))
        }
        let relations = relations.map { relation in
            var relation = relation
            relation.reading = .denied
            return relation
        }
        return RecordSelection(model, entries: entries, relations: relations)
    }
}
