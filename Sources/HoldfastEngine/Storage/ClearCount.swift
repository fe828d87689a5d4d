import HoldfastStorage

/// How often a store was cleared, kept as a setting.
///
/// Once the outbox and the dead letters are cleared, nothing else shows that a change from before was lost.
struct ClearCount: Sendable {
    let count: Int64
    /// The version of the setting; 0 if there is none, since the store was never cleared.
    private let version: UInt64

    /// The key of the setting.
    static let storedKey = RecordKey("clearCount")

    /// Reads the row of the setting.
    init(_ rows: RowBuffer) {
        version = rows.versions[0]
        count = version == 0 ? 0 : rows[0, 1].textValue.flatMap { Int64($0) } ?? 0
    }

    /// The condition that the store is not cleared before a commit.
    var isCurrent: Precondition {
        let entity = Setting.entity.name
        return version == 0
            ? .absent(entity: entity, key: Self.storedKey) : .version(entity: entity, key: Self.storedKey, version)
    }

    /// The setting after the store is cleared once more.
    var next: RowBuffer { RowBuffer(row: Setting(key: "clearCount", value: String(count + 1)).row) }
}

extension Store {
    /// How often the store was cleared.
    func clearCount() async throws(StorageError) -> ClearCount {
        var rows = RowBuffer()
        try await get([ClearCount.storedKey], of: Setting.entity.name, into: &rows)
        return ClearCount(rows)
    }
}

extension StoreSnapshot {
    /// How often the store was cleared.
    func clearCount() async throws(StorageError) -> ClearCount {
        var rows = RowBuffer()
        try await get([ClearCount.storedKey], of: Setting.entity.name, into: &rows)
        return ClearCount(rows)
    }
}
