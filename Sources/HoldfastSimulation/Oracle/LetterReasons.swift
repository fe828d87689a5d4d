import HoldfastEngine
import HoldfastSchema
import HoldfastStorage
import HoldfastSync

/// The reasons that clients may have to give up changes.
struct LetterReasons {
    let scenario: Scenario
    let schema: SimulatedSchema
    let rights: Rights
    let history: ServiceHistory
    let mutationLog: MutationLog

    /// The record of a letter; `nil` if the schema has no such model.
    func record(_ letter: DeadLetter) -> ServiceHistory.Record? {
        guard let entity = schema.model(letter.model)?.entity else { return nil }
        return RecordKey(outboxText: letter.key, of: entity).map {
            ServiceHistory.Record(model: letter.model, key: $0)
        }
    }

    /// Whether no rule allows what was given up to one of those who were signed in at a client.
    private func isForbidden(
        _ letter: DeadLetter, of record: ServiceHistory.Record, at client: SimulatedClient
    ) -> Bool {
        guard !rights.isOpen, let model = schema.model(letter.model) else { return false }
        let action: ModelAccess.Action =
            switch letter.operation {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        var states = (history.states[record] ?? []).map(\.fields)
        if states.isEmpty { states = client.provider.users.map { rights.state(of: model, by: $0) } }
        return states.contains { fields in
            client.provider.users.contains {
                !rights.shows(model, fields, to: $0) || !rights.allows(action, model, fields, to: $0)
            }
        }
    }

    /// Nothing is given up without a reason.
    ///
    /// - Parameters:
    ///   - letter: What was given up.
    ///   - client: Who gave it up.
    ///   - created: The records of which it gave up a creation; what follows a creation goes with it.
    /// - Returns: What is wrong, in words; `nil` if there was a reason.
    func problem(
        _ letter: DeadLetter, of client: SimulatedClient, created: Set<ServiceHistory.Record>
    ) -> String? {
        let number = client.number
        guard let record = record(letter) else { return "client \(number) gave up a change of an unknown record" }
        if history.lost.contains(record) { return nil }
        if letter.message == DeadReason.overruled.message, scenario.clients[number].handler == .retryLocal,
            !scenario.misledClients.contains(number)
        {
            return "client \(number) gave up a change of \(record.text), which its handler always retries"
        }
        // It is compared with the refusal where it is committed.
        if letter.message == SyncedRecord.refusedParent { return nil }
        if !rights.isOpen {
            // It was carried out, and cannot be shown to this user without a parent that an earlier one created.
            if letter.message?.hasPrefix("Cannot return null") == true, client.provider.users.count > 1,
                let state = history.states[record]?.last, let model = schema.model(record.model),
                created.isDisjoint(with: model.requiredParents(of: state))
            {
                return nil
            }
        }
        let isRefused = scenario.refusedClients.contains(number)
        if letter.errorType == "Unauthorized", isRefused || isForbidden(letter, of: record, at: client) {
            return nil
        }
        // A client that does not have all records may create one that is there, also one that it created before.
        let mayLackIt = scenario.hasInterests(number) || client.isTruncated || scenario.clears(number)
        if !(created.contains(record) && mayLackIt), mutationLog.isAlone(number, with: record) {
            return
                "client \(number) gave up a change of \(record.text), which no one else has changed: \(letter.errorType ?? "-")"
        }
        // What has no condition fails for another reason; only a creation may meet a record that the client cannot see.
        // If the service no longer has the record, what was changed after it under a condition goes with that.
        let isCondition = letter.errorType == DeadReason.conditionFailed.errorType
        let mayFollow = client.watch.conditional.contains(record)
        if isCondition, letter.condition == nil, letter.operation != .create, !mayFollow {
            return "client \(number) gave up a change of \(record.text) for a condition that it does not have"
        }
        let known = ["ConflictUnhandled", "ConditionalCheckFailedException"]
        if known.contains(letter.errorType ?? "") { return nil }
        return "client \(number) gave up a change of \(record.text): \(letter.errorType ?? "-")"
    }
}
