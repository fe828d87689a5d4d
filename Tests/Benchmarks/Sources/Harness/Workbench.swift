/// What benchmarks work with: the items, the contenders, and their stores.
final class Workbench {
    /// The items of the full size; 100,000, or a tenth.
    let items: [Item]
    /// Everybody who takes part, each baseline before those measured against it.
    let contenders: [Contender]

    private let scale: Scale
    private let scratch: ScratchDirectory
    private var loadedStores: [String: LoadedStore] = [:]
    private var kept: [String: Kept] = [:]

    init(contenders: [Contender], scale: Scale, scratch: ScratchDirectory) {
        self.contenders = contenders
        self.scale = scale
        self.scratch = scratch
        var generator = ItemGenerator(seed: 1)
        items = generator.items(scale.sized(100_000))
    }

    /// A number of operations, given that of the full size.
    func sized(_ count: Int) -> Int { scale.sized(count) }

    /// A number of rounds, given that of the full size.
    func rounds(_ count: Int) -> Int { scale.rounds(count) }

    /// Whether anything of a back end takes part.
    func has(_ adapter: String) -> Bool { contenders.contains { $0.adapter == adapter } }

    /// What is costly to make, made in the first pass and used by all.
    ///
    /// - Parameters:
    ///   - name: What it is; unique to it.
    ///   - make: Makes it, and says how it ends.
    /// - Returns: The content that was made in the first call with the name.
    /// - Throws: What `make` throws.
    func keep<Content>(
        _ name: String, _ make: () async throws -> (Content, end: () async throws -> Void)
    ) async throws -> Content {
        if let content = kept[name]?.content as? Content { return content }
        let (content, end) = try await make()
        kept[name] = Kept(content: content, end: end)
        return content
    }

    /// A new, empty directory that is removed at the end of the run.
    func makeDirectory() throws -> String { try scratch.make() }

    /// Runs `body` with an empty store, which is gone afterwards.
    func withEmptyStore<Result>(
        of contender: Contender, _ body: (any ItemStore) async throws -> Result
    ) async throws -> Result {
        let directory = try scratch.make()
        defer { scratch.remove(directory) }
        let store = try await contender.open(directory)
        let result = try await body(store)
        try await store.close()
        return result
    }

    /// The contender's store with all items in it, opened again after they were written.
    func loadedStore(of contender: Contender) async throws -> any ItemStore {
        try await load(contender).store
    }

    /// Closes the contender's loaded store, runs `body` with its directory, and opens it again.
    func withClosedStore<Result>(
        of contender: Contender, _ body: (_ directory: String) async throws -> Result
    ) async throws -> Result {
        let directory = try await load(contender).directory
        // Nothing may keep the store here: some close only when they are dropped.
        try await loadedStores.removeValue(forKey: contender.label)?.store.close()
        let result = try await body(directory)
        let store = try await contender.open(directory)
        loadedStores[contender.label] = LoadedStore(store: store, directory: directory)
        return result
    }

    /// Closes every loaded store, and ends what was kept.
    func close() async throws {
        for kept in kept.values { try await kept.end() }
        kept = [:]
        for loaded in loadedStores.values { try await loaded.store.close() }
        loadedStores = [:]
    }

    private func load(_ contender: Contender) async throws -> LoadedStore {
        if let loaded = loadedStores[contender.label] { return loaded }
        let directory = try scratch.make()
        var store: (any ItemStore)? = try await contender.open(directory)
        for batch in batches(of: 10_000) { try await store?.save(batch) }
        if contender.isPersistent {
            try await store?.close()
            store = nil
        }
        let opened = if let store { store } else { try await contender.open(directory) }
        let loaded = LoadedStore(store: opened, directory: directory)
        loadedStores[contender.label] = loaded
        return loaded
    }

    /// All items in slices of a size.
    func batches(of size: Int) -> [ArraySlice<Item>] {
        stride(from: 0, to: items.count, by: size).map { items[$0..<min($0 + size, items.count)] }
    }

    private struct Kept {
        var content: Any
        var end: () async throws -> Void
    }

    private struct LoadedStore {
        var store: any ItemStore
        var directory: String
    }
}
