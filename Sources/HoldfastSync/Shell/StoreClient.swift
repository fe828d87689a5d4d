import HoldfastEngine
import HoldfastStorage

/// Carries out what the core wants of the store.
struct StoreClient: Sendable {
    let store: DataStore
    let models: [String: SyncedModel]
    let holder: String
    /// The names of the models whose changes are sent; `nil` for all of the store.
    let sentModels: Set<String>?

    init(store: DataStore, models: [String: SyncedModel], holder: String) {
        self.store = store
        self.models = models
        self.holder = holder
        sentModels = models.count == store.modelSchemas.count ? nil : Set(models.keys)
    }

    /// Reads what a session of a user needs to know, whose models are read for an identity.
    ///
    /// If that is not known, they are read for the one for which they were read last, if it was the user's.
    @concurrent func plan(
        _ order: [(model: SyncedModel, parents: [String])], scopes: [String: SyncScope], user: String?,
        identity: String?, modeCount: Int, subscribes: Bool
    ) async -> Result<SyncPlan, StoreFailure> {
        do {
            var plan = SyncPlan(
                models: [], identity: identity ?? user, isOfGuest: user == nil, subscribes: subscribes)
            for (model, parents) in order {
                let name = model.entity.name
                plan.models.append(
                    ModelPlan(
                        name: name, parents: parents, expression: scopes[name]?.text,
                        sendsExpression: scopes[name]?.filter != nil, filtersDeltas: model.filtersDeltas,
                        shape: model.shape, modeCount: modeCount,
                        stored: try await store.modelState(of: name).map { StoredState($0) } ?? StoredState()))
            }
            if identity == nil, let user,
                let stored = plan.models.compactMap(\.stored.identity).first(where: { $0.hasPrefix(user + "\n") })
            {
                plan.identity = stored
            }
            plan.isOutboxEmpty = try await store.isOutboxEmpty(of: sentModels)
            plan.hasChangesOfOthers = try await store.hasChanges(ofOthersThan: user, of: sentModels)
            return .success(plan)
        } catch {
            return .failure(StoreFailure(error))
        }
    }

    @concurrent func apply(
        _ work: RemoteWork<SyncContent>, _ fence: SyncFence
    ) async -> Result<CommitReport<SyncContent>, StoreFailure> {
        var batch = RemoteBatch(model: work.model, generation: work.generation)
        for content in [work.page].compactMap(\.self) + work.changes.map(\.content) {
            batch.records += content.records
            batch.notStorable += content.faults
        }
        batch.state = work.state.map { ModelState($0, of: work.model) }
        return await report(work.model) { try await store.apply(batch, fence) }
    }

    @concurrent func sweep(
        _ model: String, _ generation: Int64, _ fence: SyncFence
    ) async -> Result<CommitReport<SyncContent>, StoreFailure> {
        await report(model) { try await store.sweep(model, generation, fence) }
    }

    @concurrent func take(
        _ limit: Int, includesSent: Bool, identity: String?, _ fence: SyncFence
    ) async -> Result<(mutations: [OutgoingMutation], received: [SyncContent], hasMore: Bool), StoreFailure> {
        do {
            var sent = includesSent ? try await store.unsettled() : []
            sent.removeAll { models[$0.id.model] == nil }
            let room = limit - sent.count
            if room <= 0 { return .success((sent, [], true)) }
            let taken = try await store.takeReporting(room, fence, identity: identity, models: sentModels)
            let hasMore = taken.mutations.count >= room || taken.hasTakenBack
            return .success((sent + taken.mutations, contents(of: taken.report.changes), hasMore))
        } catch {
            return .failure(StoreFailure(error))
        }
    }

    @concurrent func settle(
        _ resolutions: [(OutgoingMutation, Resolution<SyncContent>)], generations: [String: Int64], _ fence: SyncFence
    ) async -> Result<SettleReport<SyncContent>, StoreFailure> {
        do {
            let report = try await store.settle(
                resolutions.map { MutationOutcome($0.id, $1) }, fence, generations: generations)
            let processed = resolutions.compactMap { outgoing, resolution in
                report.unfinished.contains(outgoing.id) ? nil : resolution.processed(outgoing)
            }
            // The commit is made. A take that finds nothing says it later.
            let isOutboxEmpty = (try? await store.isOutboxEmpty(of: sentModels)) == true
            return .success(
                SettleReport(
                    processed: processed, deadLetters: report.deadReasons, isOutboxEmpty: isOutboxEmpty,
                    received: received(report, resolutions)))
        } catch {
            return .failure(StoreFailure(error))
        }
    }

    /// What others have changed of the records of a commit of answers, by model.
    ///
    /// What a confirmed mutation made of its record is not among that, and neither is what was only taken back here.
    private func received(
        _ report: ApplyReport, _ resolutions: [(OutgoingMutation, Resolution<SyncContent>)]
    ) -> [SyncContent] {
        let byRecord = Dictionary(
            resolutions.map { ([$0.id.model, $0.id.key], $1) }, uniquingKeysWith: { _, last in last })
        let changes = report.changes.filter { change in
            switch byRecord[[change.model, change.key]] {
            case .confirmed(let content)?: content.records.first?.version != change.version
            // What the store could not hold was only taken back.
            case .dead(_, let remote?)?, .resend(let remote, _)?:
                (change.version ?? 0) >= remote.records.first?.version ?? 0
            case .gone?: true
            case .dead?, .done?, nil: false
            }
        }
        return contents(of: changes)
    }

    /// What became of records, by model.
    private func contents(of changes: [ApplyReport.Change]) -> [SyncContent] {
        Dictionary(grouping: changes, by: \.model).sorted { $0.key < $1.key }.map { model, changes in
            SyncContent(model: model, changes: changes)
        }
    }

    private func report(
        _ model: String, _ body: () async throws -> ApplyReport
    ) async -> Result<CommitReport<SyncContent>, StoreFailure> {
        do {
            let report = try await body()
            return .success(
                CommitReport(
                    added: report.count(.created), updated: report.count(.updated), deleted: report.count(.deleted),
                    unkept: report.unkeptCount, mayLackValues: report.mayLackValues, deadLetters: report.deadReasons,
                    received: report.changes.isEmpty ? nil : SyncContent(model: model, changes: report.changes)))
        } catch {
            return .failure(StoreFailure(error))
        }
    }
}

extension Resolution<SyncContent> {
    /// What the service says of a mutation that it has carried out; `nil` for any other end.
    fileprivate func processed(_ outgoing: OutgoingMutation) -> SyncContent? {
        var content: SyncContent
        switch self {
        case .confirmed(let remote): content = remote
        case .done(let remote): content = remote ?? SyncContent(model: outgoing.id.model)
        case .dead, .gone, .resend: return nil
        }
        content.mutation = outgoing.id
        if outgoing.operation == .delete { content.deletedRow = outgoing.row }
        return content
    }
}

extension ApplyReport {
    /// The changes that were given up, and why.
    fileprivate var deadReasons: [OutgoingMutation.ID: DeadReason] {
        let reasons = deadLetters.map { letter in
            (
                OutgoingMutation.ID(model: letter.model, key: letter.key, position: letter.position),
                DeadReason.givenUp(errorType: letter.errorType ?? "", message: letter.message ?? "")
            )
        }
        return Dictionary(reasons) { _, last in last }
    }
}

extension StoreFailure {
    init(_ error: any Error) {
        guard let error = error as? StorageError else {
            self = .failed("\(error)")
            return
        }
        self = error.kind == .conflict && error.retry == .never ? .fenceLost : .failed("\(error)")
    }
}

extension StoredState {
    init(_ state: ModelState) {
        self.init(
            lastSync: state.lastSync, expression: state.syncPredicate, shape: state.shape, identity: state.identity,
            fullSyncAt: state.fullSyncAt, generation: state.generation, isTruncated: state.isTruncated,
            hasErrors: state.hasErrors,
            resume: state.tokenMode.flatMap(Resume.Kind.init).map {
                Resume(
                    kind: $0, token: state.token, label: state.tokenLabel,
                    count: Int(clamping: max(0, state.tokenCount)))
            })
    }
}

extension ModelState {
    init(_ state: StoredState, of model: String) {
        self.init(
            model: model, lastSync: state.lastSync, syncPredicate: state.expression, shape: state.shape,
            identity: state.identity, fullSyncAt: state.fullSyncAt, generation: state.generation,
            isTruncated: state.isTruncated, hasErrors: state.hasErrors, token: state.resume?.token,
            tokenLabel: state.resume?.label, tokenMode: state.resume?.kind.rawValue,
            tokenCount: Int64(state.resume?.count ?? 0))
    }
}

extension MutationOutcome {
    init(_ id: OutgoingMutation.ID, _ resolution: Resolution<SyncContent>) {
        switch resolution {
        case .confirmed(let content): self = Self.accepted(id, content)
        case .done(let content): self = .alreadyDeleted(id, content?.records.first)
        case .gone(let reason): self = .gone(id, errorType: reason.errorType, message: reason.message)
        case .dead(let reason, let remote):
            self = .refused(
                id, errorType: reason.errorType, message: reason.message, remote: remote?.records.first)
        case .resend(let onto, let replacing):
            self =
                onto.records.first.map { .retried(id, on: $0, row: replacing?.records.first?.row) }
                ?? .unanswered(id, notBefore: nil)
        }
    }

    private static func accepted(_ id: OutgoingMutation.ID, _ content: SyncContent) -> MutationOutcome {
        if let record = content.records.first { return .accepted(id, record) }
        return content.faults.first.map { .acceptedUnreadable(id, $0) } ?? .unanswered(id, notBefore: nil)
    }
}

extension DeadReason {
    package var errorType: String {
        switch self {
        case .overruled, .deletedRemotely: "ConflictUnhandled"
        case .conditionFailed: "ConditionalCheckFailedException"
        case .unauthorized: "Unauthorized"
        case .rejected(let type, _), .givenUp(let type, _): type
        }
    }

    package var message: String {
        switch self {
        case .overruled: "The service's record was preferred."
        case .deletedRemotely: "The service has deleted the record."
        case .conditionFailed: "The service's record does not satisfy the condition."
        case .unauthorized: "The service does not allow it."
        case .rejected(_, let message), .givenUp(_, let message): message
        }
    }
}
