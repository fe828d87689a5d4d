import HoldfastModel
import HoldfastStorage

/// Answers with prepared models and counts how often it is asked.
final class RecordingLoader: ModelLoader {
    struct Unavailable: Error {}

    private let state: Mutex<(models: [any Model], asked: [String], fails: Bool)>

    init(_ models: [any Model] = [], fails: Bool = false) { state = Mutex((models, [], fails)) }

    var asked: [String] { state.withLock { $0.asked } }

    func recover() { state.withLock { $0.fails = false } }

    func load<M: Model>(_ type: M.Type, key: RecordKey) async throws -> M? {
        try answer("\(type) \(key.components)").first { try $0.recordKey() == key }
    }

    func loadChildren<M: Model>(_ type: M.Type, _ request: ChildrenRequest) async throws -> ChildrenPage<M> {
        let fields = request.fields.joined(separator: ", ")
        return ChildrenPage(try answer("\(type) by \(fields) of \(request.parent.components)"))
    }

    private func answer<M: Model>(_ question: String) throws -> [M] {
        try state.withLock { state in
            state.asked.append(question)
            if state.fails { throw Unavailable() }
            return state.models.compactMap { $0 as? M }
        }
    }
}
