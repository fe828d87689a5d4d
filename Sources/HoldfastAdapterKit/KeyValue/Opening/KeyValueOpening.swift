internal import HoldfastStorage

/// Makes an engine's data a store of a schema: recognizes it, brings its schema up to date, and leaves alone what is
/// not a store.
struct KeyValueOpening {
    struct Opened {
        let tables: [String: KeyValueTable]
        let catalog: [UInt8]
        let sequence: UInt64
        /// What every commit must write as the mark; `nil` if the store has the mark of this format.
        let mark: [UInt8]?
    }

    let engine: any KeyValueEngine
    let options: KeyValueStore.Options
    let log: KeyValueChangeLog?
    let request: OpenRequest

    /// The number of the format that this version writes.
    ///
    /// In 1, values had the texts of their keys; both are read.
    private static let formatVersion = 2

    func run() throws(StorageError) -> Opened {
        try engine.begin(isSynced: true)
        do throws(StorageError) {
            let opened = try open()
            try engine.end()
            return opened
        } catch {
            engine.rollBack()
            throw error
        }
    }

    private func open() throws(StorageError) -> Opened {
        let mark = try checkMark()
        let stored = try KeyValueCatalog.read(engine)
        if stored == nil {
            if try !isEmpty() {
                throw StorageError(.corruption, "The catalog of the store is missing; restore the store from a copy.")
            }
            if !request.createsStore && options.mark != nil { throw OpenRequest.missingStore }
        }
        let sequence = try KeyValueCatalog.sequence(engine)
        var schema = KeyValueSchemaWriter(
            engine, stored ?? KeyValueCatalog(), options, sequence: sequence, mark: mark)
        try schema.collectGarbage()
        try schema.change(to: request, isNew: stored == nil)
        try log?.trim(engine, last: sequence)
        return Opened(
            tables: try schema.catalog.tables(request.schema, hasIndexes: options.hasIndexes),
            catalog: schema.catalog.encoded, sequence: sequence, mark: mark)
    }

    /// Whether there is only the mark.
    private func isEmpty() throws(StorageError) -> Bool {
        var isEmpty = true
        try engine.scan(.all, isReversed: false) { (key, _) in
            if options.mark != nil && key.elementsEqual(KeyValueCatalog.markKey) { return true }
            isEmpty = false
            return false
        }
        return isEmpty
    }

    /// Marks a new store.
    ///
    /// A store of an earlier format keeps its mark until something of this one is written, so that the version of that
    /// format can continue with a store that this one refused or only read.
    ///
    /// - Returns: The mark to write then; `nil` if there is none to write.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.incompatibleStore` if there is something that is not a store, or
    ///   a newer store.
    private func checkMark() throws(StorageError) -> [UInt8]? {
        guard let name = options.mark else { return nil }
        let mark = Array("\(name) \(Self.formatVersion)".utf8)
        let stored = try engine.value(KeyValueCatalog.markKey) { String(decoding: $0, as: UTF8.self) }
        guard let stored else {
            if try !isEmpty() { throw Self.foreign() }
            if !request.createsStore { throw OpenRequest.missingStore }
            var batch = KeyValueBatch()
            batch.put(KeyValueCatalog.markKey, mark)
            try engine.write(batch, isSynced: false)
            return nil
        }
        let words = stored.split(separator: " ")
        guard words.count == 2, words[0] == name, let version = Int(words[1]) else { throw Self.foreign() }
        if version > Self.formatVersion { throw StorageError.newerFormat(version) }
        return version < Self.formatVersion ? mark : nil
    }

    private static func foreign() -> StorageError {
        StorageError(
            .incompatibleStore,
            "What is at this place is not a Holdfast store; choose another place. It was left as it was.")
    }
}
