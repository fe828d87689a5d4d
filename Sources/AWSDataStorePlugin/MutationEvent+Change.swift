import HoldfastEngine
import HoldfastModel

extension MutationEvent {
    /// A change as observers see it.
    init<M: Model>(_ kind: ChangeKind, _ model: M, _ version: Int64?) throws {
        let type: MutationType =
            switch kind {
            case .created: .create
            case .updated: .update
            case .deleted: .delete
            }
        try self.init(
            model: model, modelSchema: M.schema, mutationType: type, version: version.map { Int($0) })
    }

    /// A change of a model whose type is not known; `nil` if it cannot be written as JSON.
    init?(of model: any Model, _ kind: ChangeKind, _ version: Int64?) {
        guard let event: MutationEvent = try? Self.event(kind, model, version) else { return nil }
        self = event
    }

    private static func event<M: Model>(_ kind: ChangeKind, _ model: M, _ version: Int64?) throws -> MutationEvent {
        try MutationEvent(kind, model, version)
    }
}
