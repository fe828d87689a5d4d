#if SQLite
import HoldfastAdapterKit
public import HoldfastEngine
public import HoldfastStorage

/// The file in which amplify-swift's DataStore kept its records, to be imported.
///
/// The file is opened for reading, with what is in a write-ahead log beside it, and seen as it was then. If its
/// last writer died in the middle of a transaction, or the file's directory cannot be written, a private copy is read.
public final class AmplifyStoreFile: ForeignStore {
    /// What the import takes note of when it has finished.
    public let name: String
    private let queue = WorkQueue(label: "holdfast.amplify.import")
    private let reader: Mutex<AmplifyFileReader?>

    private init(name: String, reader: AmplifyFileReader) {
        self.name = name
        self.reader = Mutex(reader)
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: Absolute or relative to the working directory.
    ///   - name: Distinguishes several files that are imported into one store; `"amplify"` by default.
    /// - Returns: The file, ready to be read.
    /// - Throws: ``StorageError`` `.io` if there is no file or it cannot be read, `.incompatibleStore` if it is not
    ///   one of the DataStore, `.corruption`, `.busy` if another process is writing to it.
    public static func open(path: String, name: String = "amplify") async throws(StorageError) -> AmplifyStoreFile {
        let reader = try await WorkQueue(label: "holdfast.amplify.import").run { () throws(StorageError) in
            try AmplifyFileReader(path: path)
        }
        return AmplifyStoreFile(name: name, reader: reader)
    }

    /// The models that have a table, with its columns.
    public func entities() async throws(StorageError) -> [ForeignEntity] {
        try await read { reader throws(StorageError) in try reader.entities() }
    }

    /// Records in the order of their row numbers.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` if there is no table for the entity.
    public func records(_ request: ForeignRecordRequest) async throws(StorageError) -> [ForeignRecord] {
        try await read { reader throws(StorageError) in try reader.records(request) }
    }

    /// Metadata of records that the service has deleted or whose deletion is unsent, by row number.
    public func tombstones(after position: Int64?, limit: Int) async throws(StorageError) -> [ForeignMetadata] {
        try await read { reader throws(StorageError) in try reader.tombstones(after: position, limit: limit) }
    }

    /// The times of the last synchronization, by model.
    public func states() async throws(StorageError) -> [ForeignState] {
        try await read { reader throws(StorageError) in try reader.states() }
    }

    /// All unsent changes, also those that were being sent.
    public func mutations() async throws(StorageError) -> [ForeignMutation] {
        try await read { reader throws(StorageError) in try reader.mutations() }
    }

    /// The key of an identifier: a single value as it is, or several values in quotes with `#` between them.
    ///
    /// - Returns: `nil` if the number of values is not that of the key's fields, which is so when one contains `"#"`,
    ///   or one is not of its field's type.
    public func key(_ identifier: String, of entity: EntitySchema) -> RecordKey? {
        let types = entity.primaryKeyPositions.map { entity.fields[$0].type.storageType }
        return AmplifyIdentifier.values(of: identifier, types: types).map { RecordKey($0) }
    }

    /// Closes the file; idempotent.
    public func close() async {
        let open = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        try? await queue.run { () throws(StorageError) in open?.close() }
    }

    private func read<Success: Sendable>(
        _ body: @escaping @Sendable (AmplifyFileReader) throws(StorageError) -> Success
    ) async throws(StorageError) -> Success {
        guard let reader = reader.withLock({ $0 }) else {
            throw StorageError(.closed, "The file to be imported was closed; open it again.")
        }
        return try await queue.run { () throws(StorageError) in try body(reader) }
    }
}
#endif
