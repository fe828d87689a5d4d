import HoldfastStorage

/// How often a store was cleared, and how often a migration emptied a model, kept as settings.
///
/// Once the outbox and the dead letters are cleared, nothing else shows that a change from before was lost.
struct ClearCount: Sendable {
    /// How often the store was cleared, plus how often the model was emptied, if one was asked for.
    let count: Int64
    /// How often the store was cleared.
    private let storeCount: Int64
    /// The version of the store's setting; 0 if there is none, since the store was never cleared.
    private let version: UInt64

    /// The key of the store's setting.
    static let storedKey = RecordKey("clearCount")

    /// The name of a model's setting.
    static func settingKey(of model: String) -> String { "clearCount.\(model)" }

    /// Reads the row of the store's setting, and perhaps that of a model's after it.
    init(_ rows: RowBuffer) {
        version = rows.versions[0]
        storeCount = Self.count(in: rows, 0)
        count = (0..<rows.rowCount).reduce(0) { $0 + Self.count(in: rows, $1) }
    }

    /// The number in a row of a setting; 0 if there is none.
    static func count(in rows: RowBuffer, _ row: Int) -> Int64 {
        rows.versions[row] == 0 ? 0 : rows[row, 1].textValue.flatMap { Int64($0) } ?? 0
    }

    /// The condition that the store is not cleared before a commit.
    var isCurrent: Precondition {
        let entity = Setting.entity.name
        return version == 0
            ? .absent(entity: entity, key: Self.storedKey) : .version(entity: entity, key: Self.storedKey, version)
    }

    /// The setting after the store is cleared once more.
    var next: RowBuffer { RowBuffer(row: Setting(key: "clearCount", value: String(storeCount + 1)).row) }
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
    /// How often the store was cleared or a model emptied.
    func clearCount(of model: String) async throws(StorageError) -> ClearCount {
        var rows = RowBuffer()
        let keys = [ClearCount.storedKey, RecordKey(ClearCount.settingKey(of: model))]
        try await get(keys, of: Setting.entity.name, into: &rows)
        return ClearCount(rows)
    }
}
