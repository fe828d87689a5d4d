public import HoldfastStorage

/// A commit's changes as bytes, for the logs that adapters keep.
///
/// The format is permanent: the key encoding of ``KeyCodec`` of one list. Its elements are the texts of whole entities,
/// and for each changed record a list of its entity, what became of it, and the components of its key. What became of
/// it is `false` for deleted, `true` for put, 1 for created, and 2 for replaced.
public enum ChangeCodec {
    /// Encodes the changes, without their sequence.
    public static func encode(_ change: CommittedChange) -> [UInt8] {
        // Written as the encoding of a list, which need not be made for it.
        var bytes = [KeyCodec.Tag.list]
        bytes.reserveCapacity(64 * (change.wholeEntities.count + change.records.count))
        for entity in change.wholeEntities { KeyCodec.append(.text(entity), to: &bytes) }
        var (entity, beginning) = ("", [UInt8]())
        for record in change.records {
            if beginning.isEmpty || record.entity != entity {
                entity = record.entity
                beginning = [KeyCodec.Tag.list]
                KeyCodec.append(.text(entity), to: &beginning)
            }
            bytes += beginning
            KeyCodec.append(record.effect.code, to: &bytes)
            for component in record.key.components { KeyCodec.append(component, to: &bytes) }
            bytes.append(KeyCodec.endOfList)
        }
        bytes.append(KeyCodec.endOfList)
        return bytes
    }

    /// Decodes changes.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption` if the bytes are not changes.
    public static func decode(_ bytes: [UInt8], sequence: UInt64) throws(StorageError) -> CommittedChange {
        guard let list = try KeyCodec.decode(bytes).first, case .list(let elements) = list else { throw damaged }
        var change = CommittedChange(sequence: sequence, records: [])
        for element in elements {
            switch element {
            case .text(let entity): change.wholeEntities.append(entity)
            case .list(let parts):
                guard parts.count > 2, case .text(let entity) = parts[0],
                    let effect = CommittedChange.Effect.all.first(where: { $0.code == parts[1] })
                else { throw damaged }
                change.records.append(.init(entity, RecordKey(Array(parts[2...])), effect))
            default: throw damaged
            }
        }
        return change
    }

    private static var damaged: StorageError {
        StorageError(.corruption, "An entry of the change log is damaged; restore the store from a copy.")
    }
}

extension CommittedChange.Effect {
    fileprivate static let all: [Self] = [.deleted, .put, .created, .replaced]

    /// The effect as it is stored.
    fileprivate var code: Value {
        switch self {
        case .deleted: .boolean(false)
        case .put: .boolean(true)
        case .created: .integer(1)
        case .replaced: .integer(2)
        }
    }
}
