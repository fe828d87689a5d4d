import Foundation
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport

/// The adapters on which every test of the engine runs.
typealias EngineAdapter = TestedAdapter

extension EngineAdapter {
    /// Those that `HOLDFAST_ENGINE_ADAPTERS` names, separated by commas; without it those of the default build, since
    /// tests of all adapters at once keep each other waiting.
    static let all: [EngineAdapter] = {
        guard let names = ProcessInfo.processInfo.environment["HOLDFAST_ENGINE_ADAPTERS"] else {
            return allCases.filter { ["minimal", "memory", "sqlite"].contains($0.rawValue) }
        }
        return allCases.filter { names.split(separator: ",").contains($0.rawValue[...]) && $0.isAvailable }
    }()

    /// A data store with all models of the tests.
    func open(_ options: DataStoreOptions = DataStoreOptions()) async throws -> DataStore {
        try await make().dataStore(options)
    }
}

extension StorageAdapter {
    func dataStore(_ options: DataStoreOptions = DataStoreOptions()) async throws -> DataStore {
        try await dataStore(
            models: [Blog.self, Post.self, Sample.self, Order.self, OrderLine.self, Reading.self], options: options)
    }

    func dataStore(
        models: [any Model.Type], options: DataStoreOptions = DataStoreOptions()
    ) async throws -> DataStore {
        try await DataStore.open(self, models: models, options: options)
    }
}

extension StorageAdapter {
    /// The adapter with a limit that only a commit finds, such as that of an index: no text of a post, or of
    /// another entity, is "too long".
    func limitingTexts(of entity: String = "Post") -> InterceptedAdapter {
        InterceptedAdapter(self) { _, request async throws(StorageError) in
            for case .put(entity, let rows, _) in request.operations
            where (0..<rows.rowCount).contains(where: { rows[$0].contains(.text("too long")) }) {
                throw StorageError(.limitExceeded, "An index cannot hold the text.")
            }
        }
    }
}
