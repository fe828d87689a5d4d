import HoldfastEngine
import HoldfastServer
import HoldfastStorage

/// Clients and a service as a value: the pure parts of the system, without tasks, stores, and a network.
///
/// What a client does with what the service says is decided by the engine's `SyncedRecord`, and what the service does
/// with a mutation by `ServerModel.decide`. Messages wait until one of them is delivered; any of them may be the
/// next.
struct CoreWorld: Hashable, Sendable {
    /// A change that an application makes.
    struct Edit: Hashable, Sendable {
        /// What it does.
        enum Kind: Hashable, Sendable, CaseIterable { case title, body, both, deletion }

        var record: Int
        var kind: Kind
    }

    /// What is on its way.
    enum Message: Hashable, Sendable {
        case mutation(client: Int, record: Int, position: Int64, OutboxEntry.Operation, [Value], [Int], version: Int64)
        case answer(client: Int, record: Int, MutationOutcome)
        case event(client: Int, record: Int, RemoteRecord)
    }

    /// What can happen next.
    enum Step: Hashable, Sendable {
        case edit(client: Int)
        case send(client: Int, record: Int)
        case deliver(Int)
    }

    /// A device, as far as records go.
    private struct Client: Hashable {
        var records: [SyncedRecord]
        var edits: [Edit]
        /// How many changes it has made.
        var count: Int64 = 0
    }

    /// A value that an application gave a field, or a deletion.
    private struct Made: Hashable {
        var client: Int
        var record: Int
        /// The field; `nil` for a deletion.
        var position: Int?
        var value: Value
    }

    private var clients: [Client]
    private var messages: [Message] = []
    /// The service's rows of each record, oldest first; their versions begin with 1.
    private var history: [[[Value]]]
    private var made: [Made] = []
    private let scope: CoreScope

    /// Begins where everyone has the same records, at version 1.
    init(_ scope: CoreScope, edits: [[Edit]]) {
        self.scope = scope
        history = (0..<scope.recordCount).map { [scope.firstRow($0)] }
        clients = edits.map { edits in
            Client(
                records: (0..<scope.recordCount).map { number in
                    var record = SyncedRecord(entity: scope.entity, key: scope.key(number))
                    record.accept(scope.remote(scope.firstRow(number)), generation: 0)
                    return record
                }, edits: edits)
        }
    }

    static func == (left: CoreWorld, right: CoreWorld) -> Bool {
        left.clients == right.clients && left.messages == right.messages && left.history == right.history
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(messages)
        hasher.combine(history)
        for client in clients {
            hasher.combine(client.edits.count)
            for record in client.records {
                hasher.combine(record.row)
                hasher.combine(record.metadata?.version)
                hasher.combine(record.entries.count)
            }
        }
    }

    /// Everything that can happen next; nothing if all is over.
    var steps: [Step] {
        var steps = messages.indices.map { Step.deliver($0) }
        for (number, client) in clients.enumerated() {
            if !client.edits.isEmpty { steps.append(.edit(client: number)) }
            for (index, record) in client.records.enumerated() where !record.isInFlight && !record.entries.isEmpty {
                steps.append(.send(client: number, record: index))
            }
        }
        return steps
    }

    /// Lets one thing happen.
    ///
    /// - Parameter step: One of ``steps``.
    /// - Returns: What of it must never happen.
    mutating func take(_ step: Step) -> String? {
        switch step {
        case .edit(let client):
            edit(client)
            return nil
        case .send(let client, let record):
            send(client, record)
            return nil
        case .deliver(let index):
            switch messages.remove(at: index) {
            case .mutation(let client, let record, let position, let operation, let row, let changed, let version):
                decide(client, record, position, operation, row, changed, version)
                return nil
            case .answer(let client, let record, let outcome):
                let before = clients[client].records[record].metadata?.version ?? 0
                if !clients[client].records[record].settle(outcome) { return "an answer found no entry" }
                return problem(client, record, before)
            case .event(let client, let record, let remote):
                let before = clients[client].records[record].metadata?.version ?? 0
                _ = clients[client].records[record].reconcile(remote, rebases: scope.rebases)
                return problem(client, record, before)
            }
        }
    }

    // MARK: - A client

    private mutating func edit(_ number: Int) {
        let edit = clients[number].edits.removeFirst()
        var record = clients[number].records[edit.record]
        // There is nothing left to change.
        guard let old = record.row else { return }
        clients[number].count += 1
        let value = Int64(number * 10) + clients[number].count
        var entry = OutboxEntry(
            model: scope.entity.name, key: record.key.outboxText, position: value,
            operation: edit.kind == .deletion ? .delete : .update)
        let positions: [Int] =
            switch edit.kind {
            case .title: [1]
            case .body: [2]
            case .both: [1, 2]
            case .deletion: []
            }
        if edit.kind == .deletion {
            entry.before = FieldValues.text(old, of: scope.entity)
            record.row = nil
            made.append(Made(client: number, record: edit.record, position: nil, value: .null))
        } else {
            entry.changedFields = positions.map { scope.entity.fields[$0].name }
            entry.before = FieldValues.text(old, positions, of: scope.entity)
            for position in positions {
                record.row?[position] = .integer(value)
                made.append(Made(client: number, record: edit.record, position: position, value: .integer(value)))
            }
        }
        record.entries.append(entry)
        clients[number].records[edit.record] = record
    }

    private mutating func send(_ number: Int, _ index: Int) {
        var record = clients[number].records[index]
        let entry = record.entries[0]
        record.entries[0].payload = record.payload(of: entry) ?? "{}"
        let row = record.entries.after(0, record.row, of: scope.entity) ?? []
        clients[number].records[index] = record
        add(
            .mutation(
                client: number, record: index, position: entry.position, entry.operation, row,
                entry.changedFields.compactMap(scope.entity.position(of:)), version: record.metadata?.version ?? 0))
    }

    /// Messages have an order, so that worlds that differ only in the order of their sending are the same.
    private mutating func add(_ message: Message) {
        let index = messages.firstIndex { $0.order > message.order } ?? messages.endIndex
        messages.insert(message, at: index)
    }

    /// For tests of what is found: gives up what a client has not sent, as no client may.
    mutating func forgetChanges(of number: Int) {
        for (index, record) in clients[number].records.enumerated() {
            clients[number].records[index].row = record.base ?? nil
            clients[number].records[index].entries = []
        }
    }

    // MARK: - The service

    /// What the service has of a record.
    private func last(_ index: Int) -> [Value] { history[index][history[index].count - 1] }

    private mutating func decide(
        _ client: Int, _ index: Int, _ position: Int64, _ operation: OutboxEntry.Operation, _ row: [Value],
        _ changed: [Int], _ version: Int64
    ) {
        let stored = last(index)
        let mutation = Mutation(
            operation == .delete ? .delete : .update, key: scope.key(index),
            changes: changed.map { Mutation.Change(scope.column($0), row[$0]) }, version: version, now: 1_000,
            tombstoneLife: 60)
        let id = OutgoingMutation.ID(model: scope.entity.name, key: scope.key(index).outboxText, position: position)
        let remote = scope.remote(stored)
        let outcome: MutationOutcome
        switch scope.model.decide(mutation, stored: stored, strategy: scope.strategy) {
        case .write(let row):
            history[index].append(row)
            let news = scope.remote(row)
            for other in clients.indices { add(.event(client: other, record: index, news)) }
            outcome = .accepted(id, news)
        case .conflict where remote.isDeleted && operation == .delete:
            outcome = .alreadyDeleted(id, remote)
        case .conflict where !remote.isDeleted && scope.retriesLocal:
            outcome = .retried(id, on: remote, row: nil)
        case .conflict, .conditionFailed, .ask:
            outcome = .refused(id, errorType: "ConflictUnhandled", message: nil, remote: remote)
        }
        add(.answer(client: client, record: index, outcome))
    }

    // MARK: - What must hold

    /// What the service said, with the unsent changes on top, is what the client has.
    private func problem(_ client: Int, _ index: Int, _ before: Int64) -> String? {
        let record = clients[client].records[index]
        guard let version = record.metadata?.version, version >= before else {
            return "client \(client): a version fell below \(before)"
        }
        let expected = scope.remote(history[index][Int(version) - 1]).row
        if record.base != .some(expected) { return "client \(client): a record does not build on version \(version)" }
        return nil
    }

    /// What is wrong when nothing more can happen.
    var finalProblem: String? {
        for (number, client) in clients.enumerated() {
            for (index, record) in client.records.enumerated() {
                let last = scope.remote(last(index))
                if record.row != last.row { return "client \(number) differs from the service in record \(index)" }
                if record.shelf != nil { return "client \(number) keeps something on the shelf" }
            }
        }
        for change in made where isLost(change) {
            guard let position = change.position else { return "client \(change.client): a deletion is lost" }
            let name = scope.entity.fields[position].name
            return "client \(change.client): the change of \(name) to \(change.value.plain) is lost"
        }
        return nil
    }

    /// Whether a change is neither in the service's history nor a dead letter.
    private func isLost(_ change: Made) -> Bool {
        let letters = clients[change.client].records[change.record].letters
        guard let position = change.position else {
            return !scope.remote(last(change.record)).isDeleted && !letters.contains { $0.operation == .delete }
        }
        let text = "\"\(scope.entity.fields[position].name)\":\(change.value.plain)"
        return !history[change.record].contains { $0[scope.column(position)] == change.value }
            && !letters.contains { $0.payload?.contains(text) == true }
    }
}

extension CoreWorld.Message {
    /// A number of its own for each message that can be on its way at one time.
    fileprivate var order: Int64 {
        switch self {
        case .mutation(let client, let record, _, _, _, _, _): Int64(client * 10 + record)
        case .answer(let client, let record, _): Int64(100 + client * 10 + record)
        case .event(let client, let record, let remote): 1_000 * remote.version + Int64(client * 10 + record)
        }
    }
}
