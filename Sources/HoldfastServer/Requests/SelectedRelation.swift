import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
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
    var right: Right
    /// Whether the field is null without an error if none of them may be read.
    var isHidden: Bool
    /// What is selected.
    var target: Target
    /// What the arguments demand of the records of a page.
    let filter = ReadOnce()

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

    /// A condition that is read from arguments when it is needed first.
    ///
    /// A relation is read for each record that has it, and a filter may be long.
    final class ReadOnce: Sendable {
        private let result = Mutex<Result<RecordFilter?, any Error>?>(nil)

        func value(_ read: () throws -> RecordFilter?) throws -> RecordFilter? {
            if let known = result.withLock({ $0 }) { return try known.get() }
            let new = Result(catching: read)
            result.withLock { $0 = new }
            return try new.get()
        }
    }
}
