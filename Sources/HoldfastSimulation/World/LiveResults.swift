import HoldfastEngine
import HoldfastModel
import HoldfastStorage

/// What the live queries of an application showed last.
///
/// Unchecked because everything happens on one thread.
final class LiveResults: @unchecked Sendable {
    /// For each model the cells of its records.
    private var last: [String: [[Value]]] = [:]
    /// The models whose records are synchronized, as their live queries said last.
    private var synced: Set<String> = []
    private let schema: SimulatedSchema
    /// Receives at once that a query failed: the application may not live until the end of the run.
    private let violation: @Sendable (String) -> Void
    /// Called with each model whose live query says that its records are synchronized.
    private let noteSynced: @Sendable (String) -> Void
    /// Whether the store may not be readable at some time.
    private let failsReads: Bool

    init(
        _ schema: SimulatedSchema, failsReads: Bool, violation: @escaping @Sendable (String) -> Void,
        noteSynced: @escaping @Sendable (String) -> Void
    ) {
        self.schema = schema
        self.failsReads = failsReads
        self.violation = violation
        self.noteSynced = noteSynced
    }

    func follow(_ data: DataStore) async {
        await withTaskGroup(of: Void.self) { group in
            for model in schema.models { group.addTask { await self.follow(model.type, data) } }
        }
    }

    private func follow<M: SimulatedRecord>(_ type: M.Type, _ data: DataStore) async {
        guard let query = try? data.observeQuery(type) else { return }
        var iterator = query.makeAsyncIterator()
        while true {
            do {
                guard let snapshot = try await iterator.next() else { return }
                note(snapshot)
            } catch let error as StorageError where error.kind == .io && failsReads {
                // It asks again.
                continue
            } catch {
                violation("the live query of \(M.modelName) failed: \(error)")
                return
            }
        }
    }

    private func note<M: SimulatedRecord>(_ snapshot: QuerySnapshot<M>) {
        // A key path of a generic type is looked up each time.
        last[M.modelName] = snapshot.items.map { $0.cells }
        if snapshot.isSynced {
            synced.insert(M.modelName)
            noteSynced(M.modelName)
        } else {
            synced.remove(M.modelName)
        }
    }

    /// The models whose records are not synchronized, as their live queries said last.
    var unsynced: [String] { schema.models.map(\.name).filter { !synced.contains($0) } }

    /// What the live query of a model showed last, as texts.
    func texts(of model: String) -> [String] {
        guard let records = last[model] else { return ["nothing"] }
        return Self.texts(records, of: model)
    }

    /// Records as texts.
    static func texts(_ records: some Sequence<[Value]>, of model: String) -> [String] {
        records.map { "\(model) \($0.map(\.plain).joined(separator: ", "))" }.sorted()
    }
}
