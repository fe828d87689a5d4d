import HoldfastEngine
import HoldfastStorage

/// What the service committed, in the order of its commits: the reference for everything that clients must end with.
///
/// Unchecked because everything happens on one thread.
final class ServiceHistory: @unchecked Sendable {
    /// One state of a record.
    struct State: Sendable {
        var version: Int64
        var lastChangedAt: Int64
        var isDeleted: Bool
        /// The fields by their names, without those that only the service sets.
        var fields: [String: Value]
        /// Whether the service was restored from a backup that was made before.
        var isLost = false
        /// Whether the service made the record again after it had purged the tombstone.
        var followsPurge = false
    }

    /// Names a record.
    struct Record: Hashable, Sendable {
        var model: String
        var key: RecordKey
    }

    /// All states of each record, oldest first; a record that was purged begins again.
    private(set) var states: [Record: [State]] = [:]
    /// The records whose tombstones were taken out.
    private(set) var purged: Set<Record> = []
    /// The records that a restored store did not have, also if they were made again since.
    private(set) var lost: Set<Record> = []
    /// Whether versions are renewed at present, and no mutations carried out.
    var isRenewing = false
    private var lastSequence: UInt64 = 0
    private let strategy: @Sendable (_ model: String) -> Scenario.Strategy
    private let schema: SimulatedSchema
    /// Whether clients are refused nothing, so that parents come before what belongs to them.
    private let expectsParents: Bool
    /// How many mutations the service carried out.
    private(set) var count = 0

    init(
        _ schema: SimulatedSchema = .standard, expectsParents: Bool = false,
        strategy: @escaping @Sendable (_ model: String) -> Scenario.Strategy = { _ in .automerge }
    ) {
        self.strategy = strategy
        self.schema = schema
        self.expectsParents = expectsParents
    }

    /// Records a commit.
    ///
    /// - Returns: What of it must never happen.
    func add(_ request: CommitRequest, _ receipt: CommitReceipt, _ schema: StorageSchema?) -> [String] {
        guard let schema else { return [] }
        var problems: [String] = []
        for operation in request.operations {
            guard let entity = try? schema.entity(named: operation.entity),
                let model = self.schema.model(entity.name)
            else { continue }
            switch operation {
            case .put(_, let rows, _):
                for row in 0..<rows.rowCount { problems += add(Array(rows[row]), of: entity, model) }
            case .delete(_, let keys):
                for key in keys {
                    let record = Record(model: entity.name, key: key)
                    if last(record)?.isDeleted != true { problems.append("\(record.text) was purged alive") }
                    purged.insert(record)
                }
            case .clear: problems.append("the service cleared \(entity.name)")
            }
        }
        if receipt.sequence <= lastSequence { problems.append("the sequence of a commit fell") }
        lastSequence = max(lastSequence, receipt.sequence)
        return problems
    }

    private func add(_ row: [Value], of entity: EntitySchema, _ model: SimulatedModel) -> [String] {
        var fields: [String: Value] = [:]
        for (field, value) in zip(entity.fields, row) { fields[field.name] = value }
        for name in model.ruleFields { fields[name] = fields[name]?.withShortOwners }
        let record = Record(model: entity.name, key: entity.key(of: row))
        var state = State(
            version: fields.removeValue(forKey: "_version")?.integer ?? 0,
            lastChangedAt: fields.removeValue(forKey: "_lastChangedAt")?.integer ?? 0,
            isDeleted: fields.removeValue(forKey: "_deleted") == .boolean(true), fields: fields)
        count += 1
        state.followsPurge = purged.remove(record) != nil
        let last = state.followsPurge ? nil : last(record)
        // Devices may have what was lost, too.
        let before = isRenewing ? states[record]?.map(\.version).max() : last?.version
        let expected = (before ?? 0) + 1
        var problems: [String] = []
        if state.version < expected || !isRenewing && state.version > expected {
            problems.append("\(record.text) has version \(state.version) after \(before ?? 0)")
        }
        if let last, isRenewing, state.fields != last.fields || state.isDeleted != last.isDeleted {
            problems.append("\(record.text) was renewed and is another one")
        }
        if expectsParents {
            for link in model.links where link.isOwned && !schema.isInCircle(link.model) {
                guard let parent = link.parent(of: fields), states[parent] == nil,
                    last.flatMap({ link.parent(of: $0.fields) }) != parent
                else { continue }
                problems.append("\(record.text) came before \(parent.text), to which it belongs")
            }
        }
        if !isRenewing, strategy(entity.name) == .optimistic, last?.isDeleted == true, !state.isDeleted {
            problems.append("\(record.text) came back from its tombstone")
        }
        if let last, state.lastChangedAt <= last.lastChangedAt {
            problems.append("\(record.text) changed at \(state.lastChangedAt), after \(last.lastChangedAt)")
        }
        states[record, default: []].append(state)
        return problems
    }

    /// The service goes back to a backup.
    ///
    /// - Parameter rows: For each model, the records of the backup.
    func restore(_ rows: [(entity: EntitySchema, rows: RowBuffer)]) {
        lastSequence = 0
        var kept: [Record: Int] = [:]
        for (entity, rows) in rows {
            guard let version = entity.position(of: "_version"), let time = entity.position(of: "_lastChangedAt")
            else { continue }
            for row in 0..<rows.rowCount {
                let record = Record(model: entity.name, key: entity.key(of: rows[row]))
                kept[record] = states[record]?.lastIndex {
                    .integer($0.version) == rows[row, version] && .integer($0.lastChangedAt) == rows[row, time]
                }
            }
        }
        for record in states.keys where kept[record] != nil || !purged.contains(record) {
            let end = kept[record].map { $0 + 1 } ?? 0
            for index in end..<(states[record]?.count ?? 0) { states[record]?[index].isLost = true }
            if kept[record] == nil { lost.insert(record) } else { purged.remove(record) }
        }
    }

    /// Whether the service once had a record, and then no longer knew of it.
    func hasForgotten(_ record: Record) -> Bool { purged.contains(record) || lost.contains(record) }

    /// What the service has of a record; `nil` if it has nothing.
    private func last(_ record: Record) -> State? { states[record]?.last { !$0.isLost } }

    /// The records of a model that are not deleted.
    func content(of model: String) -> [RecordKey: State] {
        var content: [RecordKey: State] = [:]
        for record in states.keys where record.model == model {
            if let last = last(record), !last.isDeleted { content[record.key] = last }
        }
        return content
    }

    /// The state that a client speaks of.
    func state(of record: Record, version: Int64, lastChangedAt: Int64) -> State? {
        index(of: record, version: version, lastChangedAt: lastChangedAt).flatMap { states[record]?[$0] }
    }

    /// The place of that state among all of the record.
    func index(of record: Record, version: Int64, lastChangedAt: Int64) -> Int? {
        states[record]?.lastIndex { $0.version == version && $0.lastChangedAt == lastChangedAt }
    }

    /// Whether the service deleted a record at a version or after it.
    func isDeleted(_ record: Record, since version: Int64, at lastChangedAt: Int64) -> Bool {
        guard let states = states[record] else { return false }
        let index = index(of: record, version: version, lastChangedAt: lastChangedAt)
        return states[(index ?? 0)...].contains(where: \.isDeleted)
    }

    /// Whether a field had a value that was lost when the service was restored.
    func hasLost(_ value: Value, in field: String, of record: Record) -> Bool {
        states[record]?.contains { $0.isLost && $0.fields[field] == value } ?? false
    }

    /// How many times a field took a value; what was lost does not count.
    ///
    /// With `ignoresReturns`, it counts once if the field had the value, went back to what it was before or to null,
    /// and takes the value again: a merge cannot distinguish that from a field that was never changed, and fills
    /// fields without a value. With `ignoresFilling`, so it counts where changes are merged and the field went back
    /// to null.
    ///
    /// A value with which a record begins again after it was purged does not count twice: without a tombstone, a
    /// creation whose answer was lost cannot be distinguished from one that never arrived, and is sent again. So is an
    /// update, which a service that merges carries out on the record that was made again.
    func count(
        of value: Value, in field: String, of record: Record, ignoresReturns: Bool = false, ignoresFilling: Bool = false
    ) -> Int {
        let merges = strategy(record.model) == .automerge
        let ignoresFilling = ignoresFilling && merges
        var (count, last) = (0, Value.null)
        // Whether the record has not had the value since it began again, and had it before.
        var isOfEarlierLife = false
        var origins: Set<Value> = []
        for state in states[record] ?? [] where !state.isLost {
            if state.followsPurge { (last, origins, isOfEarlierLife) = (.null, [], count > 0) }
            let present = state.isDeleted ? last : state.fields[field] ?? .null
            if present == value, last != value {
                let isReturn = !origins.insert(last).inserted || count > 0 && last.isNull
                let isFilling = count > 0 && last.isNull
                let isAgain = isOfEarlierLife && (state.followsPurge || merges)
                isOfEarlierLife = false
                if !(isReturn && ignoresReturns || isFilling && ignoresFilling || isAgain) { count += 1 }
            }
            last = present
        }
        return count
    }
}

extension ServiceHistory.Record {
    /// The record as reports name it.
    var text: String { "\(model) \(key.outboxText)" }
}

extension Value {
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
}

extension SimulatedModel.Link {
    /// The record that fields lead to; `nil` for none.
    func parent(of fields: [String: Value]) -> ServiceHistory.Record? {
        let key = names.compactMap { fields[$0] }.filter { !$0.isNull }
        return key.count == names.count ? ServiceHistory.Record(model: model, key: RecordKey(key)) : nil
    }
}

extension SimulatedModel {
    /// The records that a state of a record must belong to.
    func requiredParents(of state: ServiceHistory.State) -> [ServiceHistory.Record] {
        links.filter { $0.isOwned && $0.isRequired }.compactMap { $0.parent(of: state.fields) }
    }
}
