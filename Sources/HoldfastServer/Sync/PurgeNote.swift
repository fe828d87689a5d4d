import HoldfastStorage

/// How far the tombstones of a model were purged.
///
/// A client whose last synchronization was earlier reads everything, since it cannot learn what was deleted.
struct PurgeNote {
    /// The latest version of a tombstone that was purged; 0 if none was.
    let through: UInt64

    private let key: RecordKey
    private let version: UInt64

    /// Reads the note of a model.
    init(_ model: ServerModel, in snapshot: StoreSnapshot) async throws(StorageError) {
        try await self.init(model.entity, in: snapshot)
    }

    /// Reads the note of a model, which the schema may lack.
    init(_ model: EntitySchema, in snapshot: StoreSnapshot) async throws(StorageError) {
        key = RecordKey("purged " + model.name)
        var rows = RowBuffer()
        try await snapshot.get([key], of: SystemEntity.setting.name, into: &rows)
        version = rows.versions[0]
        guard version != 0, case .bytes(let bytes) = rows[0, 1] else {
            through = 0
            return
        }
        through = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What a commit demands and writes so that the note says more.
    func raised(to through: UInt64) -> (condition: Precondition, operation: WriteOperation) {
        let entity = SystemEntity.setting.name
        let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: through >> (8 * UInt64($0))) }
        return (
            version == 0
                ? .absent(entity: entity, key: key) : .version(entity: entity, key: key, version),
            .put(entity: entity, rows: RowBuffer(row: key.components + [.bytes(bytes)]), mode: .upsert)
        )
    }
}
