import HoldfastEngine
import HoldfastStorage

/// Compares a store with what a service sends, and changes neither.
///
/// Both continue to change meanwhile. What differs is checked again when the whole model was read, with the service's
/// record as it was: a change that was on its way has arrived by then in all likelihood. Where the device has more
/// than that, the service is asked again.
struct SyncVerification {
    let store: DataStore
    let client: ServiceClient
    let modeCount: Int
    let pageSize: Int
    /// The number of differences after which it ends.
    let limit: Int
    private(set) var differences: [SyncDifference] = []

    init(store: DataStore, client: ServiceClient, modeCount: Int, pageSize: Int, limit: Int) {
        self.store = store
        self.client = client
        self.modeCount = modeCount
        self.pageSize = pageSize
        self.limit = limit
    }

    /// Adds what differs in a model.
    ///
    /// Keeps the keys of its records in memory.
    mutating func compare(_ model: SyncedModel) async throws {
        let scope = try model.expression().map { try SyncScope($0, of: model) } ?? SyncScope()
        // A model that was not read to its end lacks records by intention.
        let isTruncated = try await store.modelState(of: model.entity.name)?.isTruncated ?? false
        var request = FetchRequest(
            model: model.entity.name, since: nil, token: nil, limit: pageSize, isFiltered: true, mode: 0)
        var seen: Set<RecordKey> = []
        var suspects: [RemoteRecord] = []
        var label: Int64?
        var hasErrors = false
        repeat {
            try Task.checkCancellation()
            let page = try await page(&request, of: model, in: scope)
            let records = page.parts.flatMap(\.records)
            seen.formUnion(records.map(\.key))
            // What cannot be read is there all the same.
            let faults = page.parts.flatMap(\.faults)
            seen.formUnion(faults.compactMap { RecordKey(outboxText: $0.key, of: model.entity) })
            label = label ?? page.startedAt
            hasErrors = hasErrors || page.hasErrors
            suspects += try await found(records, of: model, isTruncated: isTruncated).map(\.record)
            request.token = page.nextToken
        } while request.token != nil && suspects.count < limit
        for (record, difference) in try await found(suspects, of: model, isTruncated: isTruncated) {
            if difference.kind == .ahead {
                let remote = try await remote(record.key, of: model, in: scope, mode: request.mode)
                if remote?.version ?? 0 >= difference.deviceVersion ?? 0 { continue }
            }
            differences.append(difference)
        }
        // What came with errors may lack records that are there.
        if request.token == nil && !hasErrors && !isTruncated {
            try await findExtra(model, beside: seen, before: label, in: scope, mode: request.mode)
        }
        differences.removeLast(max(0, differences.count - limit))
    }

    /// Which of the service's records the device has otherwise.
    private func found(
        _ records: [RemoteRecord], of model: SyncedModel, isTruncated: Bool
    ) async throws -> [(record: RemoteRecord, difference: SyncDifference)] {
        let known = try await store.knownRecords(records.map(\.key), of: model.entity.name)
        return zip(records, known).compactMap { record, known in
            guard let difference = known.difference(from: record, of: model.entity) else { return nil }
            return isTruncated && difference.kind == .missing ? nil : (record, difference)
        }
    }

    /// Adds the records that the device has and the service does not.
    private mutating func findExtra(
        _ model: SyncedModel, beside seen: Set<RecordKey>, before label: Int64?, in scope: SyncScope, mode: Int
    ) async throws {
        let name = model.entity.name
        var last: RecordKey?
        while differences.count < limit {
            let keys = try await store.knownKeys(of: name, after: last, changedBefore: label)
            guard let end = keys.last else { return }
            last = end
            for key in keys where !seen.contains(key) && differences.count < limit {
                let remote = try await remote(key, of: model, in: scope, mode: mode)
                guard remote?.isDeleted ?? true || remote?.isInScope == false else { continue }
                guard let known = try await store.knownRecords([key], of: name).first, known.row != nil,
                    known.version ?? 0 <= remote?.version ?? .max
                else { continue }
                differences.append(
                    SyncDifference(
                        modelName: name, key: key, kind: .extra, deviceVersion: known.version,
                        serviceVersion: remote?.version))
            }
        }
    }

    private func remote(
        _ key: RecordKey, of model: SyncedModel, in scope: SyncScope, mode: Int
    ) async throws(SyncProblem) -> RemoteRecord? {
        switch await client.record(key, of: model, in: scope, mode: mode) {
        case .success(let record): return record
        case .failure(let failure): throw SyncProblem(.modelFailed, failure, model: model.entity.name)
        }
    }

    /// A page, in the first mode of authorization in which the service gives one.
    private func page(
        _ request: inout FetchRequest, of model: SyncedModel, in scope: SyncScope
    ) async throws -> FetchedPage<SyncContent> {
        while true {
            switch await client.page(request, of: model, in: scope) {
            case .success(let page): return page
            case .failure(let failure) where failure.isOfMode && request.mode + 1 < modeCount && request.token == nil:
                request.mode += 1
            case .failure(.tooLong) where request.limit > 1: request.limit /= 2
            case .failure(let failure): throw SyncProblem(.modelFailed, failure, model: model.entity.name)
            }
        }
    }
}

extension KnownRecord {
    /// How the service's record differs from the device's; `nil` if it does not.
    fileprivate func difference(from record: RemoteRecord, of entity: EntitySchema) -> SyncDifference? {
        let wanted = record.isInScope && !record.isDeleted ? record.row : nil
        var difference = SyncDifference(
            modelName: entity.name, key: record.key, kind: .missing, deviceVersion: version,
            serviceVersion: record.version)
        let newest = max(version ?? 0, shelvedVersion ?? 0)
        if wanted == nil && isRowKnown && row == nil && newest <= record.version { return nil }
        guard let version, version == record.version else {
            let lacksVersion: SyncDifference.Kind = version == nil ? .missing : .outdated
            difference.kind =
                version ?? 0 > record.version ? .ahead : newest >= record.version ? .waiting : lacksVersion
            return difference
        }
        guard isRowKnown else { return nil }
        switch (row, wanted) {
        case (nil, nil): return nil
        case (nil, _?): return difference
        case (_?, nil): difference.kind = .extra
        case (let row?, let wanted?):
            difference.fields = entity.fields.indices.filter {
                !entity.fields[$0].type.meansTheSame(row[$0], wanted[$0])
            }.map { entity.fields[$0].name }
            if difference.fields.isEmpty { return nil }
            difference.kind = .different
        }
        return difference
    }
}
