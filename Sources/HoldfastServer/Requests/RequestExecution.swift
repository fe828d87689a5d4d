import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// Carries out one operation and writes its response.
struct RequestExecution {
    let service: Service
    let prepared: PreparedOperation
    let identity: Identity
    let meter: RowMeter
    private let selected = SelectionMeter()
    // It reads the same selections again for each type.
    private let introspected = SelectionMeter(limit: 2_000_000)

    init(_ prepared: PreparedOperation, for identity: Identity, in service: Service) {
        self.service = service
        self.prepared = prepared
        self.identity = identity
        let limits = service.options.limits
        meter = RowMeter(limit: limits.rowsPerRequest, byteLimit: limits.rowBytesPerRequest)
    }

    /// What a field of the root type yields.
    enum Outcome {
        case null
        case record(LoadedRecords)
        case page(LoadedPage, PageSelection)
        case value(WireValue)
    }

    private var kind: OperationKind { prepared.operation.kind }
    private var rootName: String { service.schema.api.rootType(kind)?.name ?? "Query" }

    /// The response, with status 503 if every field failed because of something temporary.
    ///
    /// Apps with the original libraries send a change again after status 503. After an error with status 200 they
    /// discard it.
    func respond() async -> ServerResponse {
        // A client that changes a record must not take the relation to a purged one for one that was taken away.
        var writer = ResponseWriter(
            byteCount: service.options.limits.responseByteCount, reportsPurged: kind == .mutation)
        writer.json.beginObject()
        writer.json.name("data")
        let fields = prepared.collector.fields(of: prepared.operation.selections, on: rootName)
        var temporaryCount = 0
        if fields.count > service.options.limits.rootFields {
            writer.json.null()
            writer.fail(
                RequestFault("BadRequestException", "There are too many fields; send several requests."), hasPath: false
            )
        } else {
            writer.json.beginObject()
            var baseQueries: [String] = []
            var snapshot: StoreSnapshot?
            let givesOutLabel = fields.contains(where: isSync)
            for field in fields {
                do {
                    let outcome = try await outcome(of: field, &snapshot, givesOutLabel: givesOutLabel)
                    if case .page(let page, _) = outcome, page.isBaseInsteadOfDelta {
                        baseQueries.append(field.response)
                    }
                    _ = writer.member(field.response, isNonNull: false) { $0.write(outcome) }
                } catch {
                    let fault = service.fault(error)
                    if fault.isTemporary { temporaryCount += 1 }
                    _ = writer.member(field.response, isNonNull: false) { writer in
                        writer.fail(
                            fault, location: field.first.location, data: fault.record.map(data) ?? .null)
                        return false
                    }
                }
            }
            await snapshot?.close()
            writer.json.endObject()
            if !baseQueries.isEmpty {
                writer.json.name("extensions")
                writer.json.value(["baseQueries": .array(baseQueries.map { .string($0) })])
            }
        }
        writer.finish()
        var response = ServerResponse(body: writer.json.bytes)
        if temporaryCount > 0, temporaryCount == fields.count { response.status = 503 }
        return response
    }

    /// A record as the data of an error, which no type describes: what cannot be shown is left out.
    ///
    /// A parent that was purged has only its key. As null it would take the relation from the client's record.
    private func data(_ records: LoadedRecords) -> WireValue {
        var writer = ResponseWriter(byteCount: service.options.limits.responseByteCount, leavesOut: true)
        guard writer.record(records, 0) else { return .null }
        return (try? WireValue(parsing: writer.json.bytes)) ?? .null
    }

    private func isSync(_ field: SelectionCollector.Field) -> Bool {
        if case .sync = service.schema.roots[kind]?[field.first.name.text] { true } else { false }
    }

    private func outcome(
        of field: SelectionCollector.Field, _ snapshot: inout StoreSnapshot?, givesOutLabel: Bool
    ) async throws -> Outcome {
        let name = field.first.name.text
        if name == "__typename" { return .value(.string(rootName)) }
        guard !identity.denies(name, of: rootName) else { throw RequestFault.unauthorized(name, on: rootName) }
        if name == "__schema" || name == "__type" { return try introspect(field) }
        guard let root = service.schema.roots[kind]?[name],
            let definition = service.schema.api.rootType(kind)?.field(name)
        else { throw RequestFault.internalFailure }
        let compiler = SelectionCompiler(
            schema: service.schema, collector: prepared.collector, identity: identity,
            hidesProtectedFields: kind == .mutation, meter: selected)
        let arguments = try compiler.arguments(of: field.first, definition)
        if case .mutation(let model, let operation) = root {
            // A user who creates a record knows it. A user who changes or deletes one may not have been allowed to read it.
            let actions = operation == .create ? ModelAccess.reading.union([.create]) : ModelAccess.reading
            let selection = try compiler.cachedRecord(field, of: model, in: prepared, by: actions)
            return .record(
                try await MutationExecution(
                    service: service, model: model, operation: operation, field: name, identity: identity,
                    selection: selection, meter: meter
                ).run(arguments))
        }
        let view: StoreSnapshot
        if let snapshot {
            view = snapshot
        } else {
            // Not while a snapshot is open: if all connections had one, each request would wait for another one.
            if givesOutLabel { try await refreshLabels() }
            view = try await service.store.snapshot()
            snapshot = view
        }
        let reader = SnapshotReader(
            snapshot: view, identity: identity, limits: service.options.limits, secret: service.secret, meter: meter)
        return try await QueryExecution(service: service, reader: reader, identity: identity, compiler: compiler)
            .run(root, arguments, field)
    }

    /// Makes a new label, if the store takes one.
    ///
    /// A store whose disk is full can still be read. An earlier label is right, too: its client receives some changes
    /// once more.
    private func refreshLabels() async throws(StorageError) {
        do throws(StorageError) {
            try await service.labels.refresh()
        } catch {
            if error.kind == .cancelled || error.kind == .closed { throw error }
            service.options.report(error.description)
        }
    }

    private func introspect(_ field: SelectionCollector.Field) throws -> Outcome {
        guard service.options.allowsIntrospection else {
            throw RequestFault(
                nil, "Validation error of type FieldUndefined: Field '\(field.first.name)' in type 'Query' is undefined"
            )
        }
        let name = field.first.arguments.first.flatMap {
            WireValue($0.value, variables: prepared.collector.variables)?.string
        }
        let introspection = Introspection(
            api: service.schema.api, collector: prepared.collector, meter: meter, selected: introspected)
        let value =
            field.first.name.text == "__schema"
            ? introspection.schema(field.selections) : introspection.type(name ?? "", field.selections)
        if meter.isExhausted { try meter.take(0) }
        try introspected.check()
        return .value(value)
    }
}

extension ResponseWriter {
    fileprivate mutating func write(_ outcome: RequestExecution.Outcome) -> Bool {
        switch outcome {
        case .null: return false
        case .record(let records): return record(records, 0)
        case .page(let page, let selection): return self.page(page, selection)
        case .value(let value):
            json.value(value)
            return true
        }
    }
}
