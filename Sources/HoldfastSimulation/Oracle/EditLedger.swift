import HoldfastEngine
import HoldfastStorage

/// What applications changed: every change that was acknowledged must be found again.
///
/// Unchecked because everything happens on one thread.
final class EditLedger: @unchecked Sendable {
    /// A value that an edit gave a field, which no other edit uses; or null.
    struct Edit: Sendable {
        var step: Int
        var client: Int
        var record: ServiceHistory.Record
        var field: String
        var value: Value
        var order: Int
        /// What was the last when it began.
        var begun: Int
        /// Whether the application received the answer that it is saved; otherwise it may be.
        var isAcknowledged: Bool
        /// Whether it put a whole record in the place of what was there.
        var isWholeRecord = false
        /// What the service's record must have had before.
        var condition: (field: String, value: Value)?

        /// Whether two processes of a client made both at the same time, and the other may have replaced this one.
        fileprivate func mayBeReplaced(by other: Edit) -> Bool {
            client == other.client && record == other.record && step != other.step
                && (field == other.field || other.isWholeRecord) && other.begun < order && begun < other.order
        }
    }

    /// A record that a client deleted, or that went with another one.
    struct Deletion: Sendable {
        var client: Int
        var record: ServiceHistory.Record
        var order: Int
        /// How many states of the record the service had when it had the one that the client knew then.
        var stateCount: Int
        /// Whether it waits for the service; `false` if the service never received the record.
        var isRecorded: Bool
        /// The record with whose deletion it goes.
        var cascade: ServiceHistory.Record?
    }

    /// A record, or one of its fields, as a client or all of them have it.
    fileprivate struct Target: Hashable {
        var client: Int?
        var record: ServiceHistory.Record
        var field: String?

        var ofRecord: Target { Target(client: client, record: record) }
    }

    private(set) var edits: [Edit] = []
    private(set) var deletions: [Deletion] = []
    /// The records of which changes were given up and made once more, so that values may come twice.
    private var retried: Set<ServiceHistory.Record> = []
    private var clears: [Int: Int] = [:]
    private var order = 0
    /// How many operations applications carried out.
    private(set) var operations = 0

    /// What happened last; an edit begins after it.
    var last: Int { order }

    func noteOperation() { operations += 1 }

    func add(
        step: Int, client: Int, _ record: ServiceHistory.Record, _ values: [(field: String, value: Value)],
        isAcknowledged: Bool, begun: Int? = nil, isWholeRecord: Bool = false,
        condition: (field: String, value: Value)? = nil
    ) {
        let begun = begun ?? order
        order += 1
        for (field, value) in values {
            edits.append(
                Edit(
                    step: step, client: client, record: record, field: field, value: value, order: order, begun: begun,
                    isAcknowledged: isAcknowledged, isWholeRecord: isWholeRecord, condition: condition))
        }
    }

    /// A client makes a change once more that was given up; which of the fields it has is of no matter.
    func retry(step: Int, client: Int, _ record: ServiceHistory.Record, _ fields: [String], begun: Int) {
        retried.insert(record)
        add(
            step: step, client: client, record, fields.map { ($0, .null) }, isAcknowledged: false, begun: begun)
    }

    func delete(
        client: Int, _ record: ServiceHistory.Record, stateCount: Int, isRecorded: Bool,
        cascade: ServiceHistory.Record? = nil
    ) {
        order += 1
        deletions.append(
            Deletion(
                client: client, record: record, order: order, stateCount: stateCount, isRecorded: isRecorded,
                cascade: cascade))
    }

    func clear(client: Int) {
        order += 1
        clears[client] = order
    }

    /// What was acknowledged and cannot be found.
    ///
    /// - Parameters:
    ///   - history: What the service committed.
    ///   - letters: For each client, what its dead letters say.
    ///   - retryingClients: The clients whose conflict handlers put their value on top of what others changed
    ///     meanwhile, also if the answer to the first attempt was lost.
    /// - Returns: A text for each lost change, and for each value that was set more than once by a client that is
    ///   not among `retryingClients`.
    func problems(
        _ history: ServiceHistory, letters: [Int: [DeadLetterText]], retryingClients: Set<Int> = []
    ) -> [String] {
        editProblems(history, letters, retryingClients) + lostDeletions(history, letters)
            + deletionsOfRefusedOnes(history, letters)
            + edits.compactMap { $0.ignoredCondition(history) }
    }

    private func editProblems(
        _ history: ServiceHistory, _ letters: [Int: [DeadLetterText]], _ retryingClients: Set<Int>
    ) -> [String] {
        var problems: [String] = []
        var lastEdits: [Target: Int] = [:]
        var lastDeletions: [Target: Int] = [:]
        for edit in edits { lastEdits[edit.target] = edit.order }
        for deletion in deletions { lastDeletions[deletion.target] = deletion.order }
        // The clients that emptied a field.
        var emptying: [Target: Set<Int>] = [:]
        for edit in edits where edit.value.isNull { emptying[edit.anyClient, default: []].insert(edit.client) }
        for edit in edits where !edit.value.isNull {
            // A client that retries its changes may give a field the value back that it had before the edits of
            // others. Where another one has emptied it, a change whose answer was lost is merged a second time, and
            // fills it.
            let isEmptied = !(emptying[edit.anyClient] ?? []).isSubset(of: [edit.client])
            let count = history.count(
                of: edit.value, in: edit.field, of: edit.record, ignoresReturns: !retryingClients.isEmpty,
                ignoresFilling: isEmptied)
            if count > 1, !retryingClients.contains(edit.client), !retried.contains(edit.record) {
                problems.append(
                    "step \(edit.step): the service gave \(edit.field) of \(edit.record.text) its value \(count) times")
            }
            // What was saved while the store was emptied may have been before or after that.
            if count > 0 || !edit.isAcknowledged || edit.begun < clears[edit.client] ?? 0 { continue }
            // A later change of the same client may have been folded into it.
            if lastEdits[edit.target] ?? 0 > edit.order { continue }
            if lastDeletions[edit.target.ofRecord] ?? 0 > edit.begun { continue }
            if edits.contains(where: { edit.mayBeReplaced(by: $0) }) { continue }
            if letters[edit.client]?.contains(where: { $0.holds(edit) }) == true { continue }
            if history.hasLost(edit.value, in: edit.field, of: edit.record) { continue }
            problems.append(
                "step \(edit.step): the change of \(edit.field) of \(edit.record.text) by client \(edit.client) is lost"
            )
        }
        return problems
    }

    private func lostDeletions(_ history: ServiceHistory, _ letters: [Int: [DeadLetterText]]) -> [String] {
        var lastEdits: [Target: Int] = [:]
        for edit in edits { lastEdits[edit.target.ofRecord] = edit.order }
        return deletions.filter { deletion in
            guard deletion.isRecorded, deletion.order >= clears[deletion.client] ?? 0,
                lastEdits[deletion.target] ?? 0 <= deletion.order, let states = history.states[deletion.record],
                !history.hasForgotten(deletion.record)
            else { return false }
            let isKept = letters[deletion.client]?.contains { $0.isDeletion && $0.isOf(deletion.record) } == true
            return !isKept && !isTakenBack(deletion, history, letters)
                && !states[max(0, deletion.stateCount - 1)...].contains(where: \.isDeleted)
        }.map { "the deletion of \($0.record.text) by client \($0.client) is lost" }
    }

    /// Whether a deletion may have been taken back with the one with which it went.
    private func isTakenBack(
        _ deletion: Deletion, _ history: ServiceHistory, _ letters: [Int: [DeadLetterText]]
    ) -> Bool {
        guard let parent = deletion.cascade else { return false }
        if letters[deletion.client]?.contains(where: { $0.isDeletion && $0.isOf(parent) }) == true { return true }
        // The service may have had the record again before it was asked for this deletion.
        let states = history.states[parent] ?? []
        if states.last?.isDeleted == false || states.contains(where: { $0.isLost || $0.followsPurge }) { return true }
        // What belongs to a record is deleted before it.
        let other = deletions.first {
            $0.order > deletion.order && $0.client == deletion.client && $0.record == parent
        }
        return other.map { isTakenBack($0, history, letters) } ?? false
    }

    /// Deletions that the service carried out although it had refused those with which they went.
    private func deletionsOfRefusedOnes(_ history: ServiceHistory, _ letters: [Int: [DeadLetterText]]) -> [String] {
        let counts = Dictionary(deletions.map { ($0.record, 1) }, uniquingKeysWith: +)
        return deletions.filter { deletion in
            guard let parent = deletion.cascade, counts[deletion.record] == 1, counts[parent] == 1,
                letters[deletion.client]?.contains(where: { $0.isDeletion && $0.isOf(parent) }) == true,
                !history.hasForgotten(deletion.record), !history.hasForgotten(parent),
                let states = history.states[deletion.record], let parentStates = history.states[parent]
            else { return false }
            return !parentStates.contains { $0.isDeleted || $0.isLost || $0.followsPurge }
                && states.contains(where: \.isDeleted) && !states.contains { $0.isLost || $0.followsPurge }
        }.map { "\($0.record.text) was deleted although the deletion with which it went was refused" }
    }
}

extension EditLedger.Edit {
    /// What is wrong if the service carried it out on a record that does not satisfy its condition.
    fileprivate func ignoredCondition(_ history: ServiceHistory) -> String? {
        // What came before a state that a restored service has lost is not known.
        guard let condition, let states = history.states[record], !history.hasLost(value, in: field, of: record),
            let index = states.firstIndex(where: { $0.fields[field] == value }), !states[index].followsPurge,
            let before = states[..<index].last(where: { !$0.isLost }),
            before.fields[condition.field] != condition.value
        else { return nil }
        return "step \(step): the service changed \(field) of \(record.text) although its condition did not hold"
    }

    fileprivate var target: EditLedger.Target { EditLedger.Target(client: client, record: record, field: field) }
    fileprivate var anyClient: EditLedger.Target { EditLedger.Target(record: record, field: field) }
}

extension EditLedger.Deletion {
    fileprivate var target: EditLedger.Target { EditLedger.Target(client: client, record: record) }
}

/// A dead letter, as far as it must show what was given up.
struct DeadLetterText: Sendable {
    var model: String
    var key: String
    var isDeletion: Bool
    var payload: String

    func isOf(_ record: ServiceHistory.Record) -> Bool {
        model == record.model && key == record.key.outboxText
    }

    func holds(_ edit: EditLedger.Edit) -> Bool { isOf(edit.record) && payload.contains(edit.value.plain) }
}

extension Value {
    /// The value as JSON has it, without quotes.
    var plain: String {
        switch self {
        case .null: "null"
        case .text(let text): text
        case .boolean(let value): "boolean(\(value))"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .date(let date): date.text
        case .time(let time): time.text
        case .timestamp(let timestamp): timestamp.text
        default: "\(self)"
        }
    }
}
