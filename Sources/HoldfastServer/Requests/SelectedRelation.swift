import HoldfastGraphQL
import HoldfastSchema
import HoldfastWire

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
