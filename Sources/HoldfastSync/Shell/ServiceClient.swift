import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastWire

/// Asks a service, and reads its answers.
struct ServiceClient: Sendable {
    let transport: any SyncTransport
    let authorization: SyncAuthorization

    /// Reads a page of a base or delta query.
    @concurrent func page(
        _ request: FetchRequest, of model: SyncedModel, in scope: SyncScope
    ) async -> Result<FetchedPage<SyncContent>, ServiceFailure> {
        let operation = model.wire.sync(
            filter: request.isFiltered ? scope.filter : nil, limit: request.limit, nextToken: request.token,
            lastSync: request.since)
        do throws(ServiceFailure) {
            let body = try await send(operation, .read, of: model, mode: request.mode)
            guard let response = try? model.wire.page(body) else { throw .unknown(retryAfter: nil) }
            guard let page = response.result else { throw response.failure }
            let content = model.content(of: page.items, in: scope)
            let count = page.items.count + page.items.faults.count
            let found = response.errors.map { (error: $0, record: $0.record(ofPageWith: count)) }
            let isOfRecords = found.allSatisfy { $0.record != nil }
            let errors = found.filter { !$0.error.failure.isOfMode }
            let invalid = Set(errors.filter { $0.error.kind == .invalidData }.compactMap { $0.record })
                .subtracting(errors.filter { $0.error.kind != .invalidData }.compactMap { $0.record })
            let missing = page.items.faults.filter { $0.key == nil || $0.item == nil }
            return .success(
                FetchedPage(
                    count: count, outsideCount: content.records.count { !$0.isInScope }, nextToken: page.nextToken,
                    startedAt: page.startedAt,
                    // What could not be read must not look as if the service had forgotten it. The records are judged, too,
                    // since a service need not list all errors.
                    hasErrors: !isOfRecords || !missing.isEmpty,
                    lacksOnlyInvalid: isOfRecords && missing.allSatisfy { invalid.contains($0.index) },
                    // What the user may not read is missing each time, so that it need not be asked for again.
                    hasFaults: !page.items.faults.isEmpty || !errors.isEmpty,
                    lacksOnlyRequiredValues: errors.isEmpty
                        && page.items.faults.allSatisfy { $0.error.kind == .missing },
                    isBase: response.isBaseQuery,
                    parts: content.parts))
        } catch {
            return .failure(error)
        }
    }

    /// Sends a mutation.
    @concurrent func mutate(
        _ outgoing: OutgoingMutation, of model: SyncedModel, in scope: SyncScope, mode: Int
    ) async -> MutationAnswer<SyncContent> {
        do throws(ServiceFailure) {
            guard let operation = try model.mutation(outgoing) else {
                // Nothing is left to be sent, so the record is as the service has it.
                let found = try await find(outgoing, of: model, in: scope, mode: mode)
                return found.map { .confirmed($0) } ?? .failed(.rejected(type: "Missing", message: "No such record."))
            }
            let body = try await send(operation, outgoing.kind, of: model, mode: mode, user: outgoing.identity)
            guard var response = try? model.wire.record(body) else { throw .unknown(retryAfter: nil) }
            if response.errors.contains(where: \.isPartial) {
                let whole = try await result(of: outgoing, answered: response.result, model, in: scope, mode: mode)
                if let whole { return .confirmed(whole) }
                // Fields that the user may not read are assumed to have the values that were sent.
                if let row = outgoing.row {
                    let cells = model.wire.cells(of: row, missingFor: response.errors)
                    response = (try? model.wire.record(body, filling: cells)) ?? response
                }
            }
            if let items = response.result {
                let content = model.content(of: items, in: scope)
                if !content.records.isEmpty || content.isKnown(as: outgoing) { return .confirmed(content) }
                throw .rejected(type: "Unreadable", message: "The service's record does not fit the model.")
            }
            switch response.errors.first?.kind {
            case .conflict?:
                let items = response.errors.first.flatMap { model.wire.record(of: $0) }
                let content = items.map { model.content(of: $0, in: scope) }
                guard let content, let record = content.records.first else { return .conflict(nil) }
                return .conflict(FoundRecord(isDeleted: record.isDeleted, content: content))
            case .conditionFailed?: return .conditionFailed
            // What the record leads to may be gone, without which neither the answer nor a query can show it.
            case _? where outgoing.operation == .delete && response.errors[0].isPartial: return .deleted
            default: throw response.failure
            }
        } catch {
            return .failed(error)
        }
    }

    /// Looks up what a mutation has made of its record, if the answer has errors about parts of it.
    ///
    /// It was carried out. The answer has gaps where it selects fields of related records that the user may not read.
    /// A query that selects only their keys has none.
    ///
    /// - Returns: The record; `nil` if the user may not read it.
    /// - Throws: ``ServiceFailure`` `.unknown` without a usable answer, and if the record is not the one that was
    ///   answered. The record as answered would lose its relations; it is looked up again later.
    private func result(
        of outgoing: OutgoingMutation, answered answer: RemoteItems?, _ model: SyncedModel, in scope: SyncScope,
        mode: Int
    ) async throws(ServiceFailure) -> SyncContent? {
        let found: SyncContent?
        do throws(ServiceFailure) {
            found = try await find(outgoing, of: model, in: scope, mode: mode)
        } catch {
            switch error {
            case .unknown, .tooLong, .unsent, .unauthenticated: throw .unknown(retryAfter: nil)
            case .notOffered, .unauthorized, .schemaMismatch, .rejected: return nil
            }
        }
        guard let version = found?.records.first?.version else { return found }
        let answered = answer?.items.first ?? answer?.faults.first?.item
        // An answer without a record has no version, and it need not be the next one: the service may have merged the
        // change. If it were sent again, it would be merged once more, and so on.
        let isResult = answered.map { $0.version == version } ?? (version > outgoing.version ?? 0)
        if !isResult { throw .unknown(retryAfter: nil) }
        return found
    }

    /// Reads the record of a mutation, and compares it with what should have been sent.
    @concurrent func check(
        _ outgoing: OutgoingMutation, of model: SyncedModel, in scope: SyncScope, mode: Int
    ) async -> CheckAnswer<SyncContent> {
        do throws(ServiceFailure) {
            guard let content = try await find(outgoing, of: model, in: scope, mode: mode),
                let record = content.records.first
            else { return .absent }
            var findings: CheckFindings = []
            if record.version > (outgoing.version ?? 0) { findings.insert(.isAboveBase) }
            if let row = record.row, model.hasSent(row, outgoing) { findings.insert(.equalsSent) }
            if model.hasMerged(record, outgoing) { findings.insert(.isMerged) }
            if record.version == outgoing.version, record.lastChangedAt != outgoing.lastChangedAt {
                findings.insert(.isOtherLife)
            }
            return .found(FoundRecord(isDeleted: record.isDeleted, content: content), findings)
        } catch {
            return .failed(error)
        }
    }

    /// Reads one record; `nil` if the service has none for this user.
    @concurrent func record(
        _ key: RecordKey, of model: SyncedModel, in scope: SyncScope, mode: Int
    ) async -> Result<RemoteRecord?, ServiceFailure> {
        do throws(ServiceFailure) {
            return .success(try await find(key, of: model, in: scope, mode: mode)?.records.first)
        } catch {
            return .failure(error)
        }
    }

    private func find(
        _ outgoing: OutgoingMutation, of model: SyncedModel, in scope: SyncScope, mode: Int
    ) async throws(ServiceFailure) -> SyncContent? {
        // Others than the user may not see the record, and it must not be taken for one that is gone.
        try await find(outgoing.recordKey, of: model, in: scope, mode: mode, user: outgoing.identity)
    }

    private func find(
        _ key: RecordKey, of model: SyncedModel, in scope: SyncScope, mode: Int, user: String? = nil
    ) async throws(ServiceFailure) -> SyncContent? {
        let body = try await send(model.wire.get(key), .read, of: model, mode: mode, user: user)
        guard let response = try? model.wire.record(body) else { throw .unknown(retryAfter: nil) }
        guard let items = response.result else {
            if response.errors.isEmpty { return nil }
            throw response.failure
        }
        let content = model.content(of: items, in: scope)
        guard !content.records.isEmpty else {
            throw .rejected(type: "Unreadable", message: "The service's record does not fit the model.")
        }
        return content
    }

    /// Sends a request, and judges the response as far as HTTP does.
    private func send(
        _ operation: WireOperation, _ kind: ModelOperation, of model: SyncedModel, mode: Int, user: String? = nil
    ) async throws(ServiceFailure) -> [UInt8] {
        let request = AuthorizedRequest(.query, body: operation.body, model: model.wire, operation: kind, user: user)
        let headers = try await authorization.headers(mode, request)
        var response = try await send(request.body, headers)
        // A token may have expired meanwhile; another is tried once.
        if ServiceError.Kind(status: response.status) == .unauthorized,
            response.status == 401 || response.isOfService,
            let renewed = try await authorization.headers(insteadOf: headers, mode, request)
        {
            response = try await send(request.body, renewed)
        }
        switch ServiceError.Kind(status: response.status) {
        case nil: return response.body
        // A page of something on the way, such as a gateway or a filter, says nothing about the request.
        case .unauthorized? where !response.isOfService, .invalidRequest? where !response.isOfService:
            throw .unknown(retryAfter: response.retryAfter)
        case .unauthorized? where response.refusesCredentials: throw .unauthenticated
        case .unauthorized?: throw .unauthorized(isSignedOut: false)
        case .throttled?: throw .unknown(retryAfter: response.retryAfter ?? .zero)
        case .serviceFailed?: throw .unknown(retryAfter: response.retryAfter)
        default:
            if let failure = (try? ServiceError.all(in: response.body))?.failure, case .schemaMismatch = failure {
                throw failure
            }
            throw .rejected(type: "HTTP \(response.status)", message: "The service refuses the request.")
        }
    }

    private func send(_ body: [UInt8], _ headers: AuthHeaders) async throws(ServiceFailure) -> WireResponse {
        do throws(TransportError) {
            return try await transport.send(WireRequest(authorization: headers, body: body))
        } catch {
            throw error.failure
        }
    }
}

extension WireResponse {
    /// Whether a response with a status of refusal comes from the service and not from a gateway before it.
    ///
    /// A request whose body is too large remains so, whatever refuses it. The address and the headers do not depend on
    /// what it is about.
    fileprivate var isOfService: Bool {
        if status == 413 { return true }
        guard (try? WireValue(parsing: body))?["errors"] != nil else { return false }
        // A firewall before AppSync, AWS WAF, refuses a request as AppSync does, and only for the time being.
        return (try? ServiceError.all(in: body))?.first?.errorType?.hasPrefix("WAF") != true
    }

    /// Whether a refusal is about who asks, and not about what is asked for.
    ///
    /// A right that is missing is an error of a response with status 200 or 403. AppSync says it with status 401 where
    /// a policy of IAM is about single fields of the API.
    fileprivate var refusesCredentials: Bool {
        guard let error = (try? ServiceError.all(in: body))?.first else { return status == 401 }
        if status == 401 { return error.message != "Permission denied" }
        return [.unauthenticated, .tokenExpired].contains(error.kind)
    }
}

extension ServiceResponse {
    /// What the errors of an answer without a result mean.
    fileprivate var failure: ServiceFailure { errors.failure }
}

extension [ServiceError] {
    /// What the errors of an answer without a result mean.
    fileprivate var failure: ServiceFailure {
        // A document that names what the schema lacks may break other rules because of that.
        let error: ServiceError? = first(where: { $0.kind == .schemaMismatch }) ?? first
        return error?.failure ?? .unknown(retryAfter: nil)
    }
}

extension ServiceError {
    /// What the error means for the sync core.
    var failure: ServiceFailure {
        switch kind {
        case .unauthorized, .tokenExpired: .unauthorized(isSignedOut: false)
        // Like a service that says when to come again: it wants no more requests than before.
        case .throttled: .unknown(retryAfter: .zero)
        case .serviceFailed, .tooManySubscriptions: .unknown(retryAfter: nil)
        case .schemaMismatch: .schemaMismatch(message: message)
        default: .rejected(type: errorType ?? "", message: message)
        }
    }

    /// The position of the record in the list of a page about a part of which it is; `nil` if it is about anything else.
    fileprivate func record(ofPageWith count: Int) -> Int? {
        guard let path, path.count > 3, path[1].string == "items", let index = path[2].integer, index >= 0 else {
            return nil
        }
        return Int(exactly: index).flatMap { $0 < count ? $0 : nil }
    }
}

extension SyncContent {
    /// Whether it is the result of a mutation, of which the models cannot hold everything.
    fileprivate func isKnown(as outgoing: OutgoingMutation) -> Bool {
        outgoing.operation != .delete && faults.contains { $0.key == outgoing.id.key && $0.version > 0 }
    }
}

extension OutgoingMutation {
    /// The mutation as rules of models call it.
    fileprivate var kind: ModelOperation {
        switch operation {
        case .create: .create
        case .update: .update
        case .delete: .delete
        }
    }
}

extension SyncedModel {
    /// The request of a mutation; `nil` if nothing is left to be sent.
    ///
    /// - Throws: ``ServiceFailure`` `.rejected` if its condition cannot be read. Without it the change would be made in
    ///   any case.
    fileprivate func mutation(_ outgoing: OutgoingMutation) throws(ServiceFailure) -> WireOperation? {
        let kind: WireMutation =
            switch outgoing.operation {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        // Sort fields of an index that were not changed are sent with one that was.
        var row = outgoing.row ?? [Value](repeating: .null, count: wire.columns.count)
        for (position, value) in zip(wire.keyColumns, outgoing.recordKey.components) { row[position] = value }
        for (field, value) in outgoing.values {
            if let position = entity.position(of: field) { row[position] = value }
        }
        guard
            let input = wire.input(
                for: kind, row: row, changedFields: outgoing.values.map(\.field), version: outgoing.version)
        else { return nil }
        var condition: WireValue?
        if let text = outgoing.condition {
            // A level of a predicate has up to three of JSON, and a store admits 128 levels.
            let limits = JSONLimits(bytes: .max, depth: 512, values: .max)
            guard let parsed = try? WireValue(parsing: Array(text.utf8), limits: limits) else {
                throw .rejected(type: "InvalidCondition", message: "The condition of the change cannot be read.")
            }
            condition = wire.withWireNames(parsed)
        }
        return wire.mutation(kind, input: input, condition: condition)
    }

    /// Whether a record has every value that a mutation sends.
    fileprivate func hasSent(_ row: [Value], _ outgoing: OutgoingMutation) -> Bool {
        outgoing.values.allSatisfy { field, value in
            guard let position = entity.position(of: field), wire.sends(value, in: position) else { return true }
            // A creation does not send what has no value, and the service may fill it in.
            if outgoing.operation == .create, value.isNull { return true }
            return entity.fields[position].type.meansTheSame(row[position], value)
        }
    }

    /// Whether a record shows that the service has merged an update, and no one else has changed what it sends.
    ///
    /// Then a list, or what contains one, is what a merge makes of it, and all other fields have what was sent or are as
    /// they were before. If no such field shows a merge, the update can be sent again without harm.
    fileprivate func hasMerged(_ record: RemoteRecord, _ outgoing: OutgoingMutation) -> Bool {
        // A merge needs another version than the base, and makes one more.
        guard let row = record.row, let before = outgoing.before, record.version > (outgoing.version ?? 0) &+ 1 else {
            return false
        }
        var isMerged = false
        for (field, value) in outgoing.values {
            guard let position = entity.position(of: field), wire.sends(value, in: position) else { continue }
            let type = entity.fields[position].type
            if type.meansTheSame(row[position], before[position]) { continue }
            let isAsSent = type.meansTheSame(row[position], value)
            guard isAsSent || type.isUnchanged(row[position], from: before[position], by: value) else { return false }
            // Of nothing and a list, a merge makes that list.
            if !isAsSent || !type.isMergedWhole { isMerged = true }
        }
        return isMerged
    }
}
