import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// Carries out one field of a query.
struct QueryExecution {
    let service: Service
    let reader: SnapshotReader
    let identity: Identity
    let compiler: SelectionCompiler

    func run(
        _ root: RootField, _ arguments: JSONObject, _ field: SelectionCollector.Field
    ) async throws -> RequestExecution.Outcome {
        let name = field.first.name.text
        switch root {
        case .get(let model): return try await get(model, arguments, field, name)
        case .list(let model):
            return try await list(
                model, key: model.key, isKey: model.declaresKey, permitted(.list, model, name), arguments, field, name)
        case .index(let model, let index):
            return try await list(
                model, key: index.fields, isKey: true, permitted(.list, model, name), arguments, field, name)
        case .sync(let model): return try await sync(model, arguments, field, name)
        case .mutation, .subscription: throw RequestFault.internalFailure
        }
    }

    /// The records that the identity may read.
    private func permitted(
        _ action: ModelAccess.Action, _ model: ServerModel, _ field: String
    ) throws(RequestFault) -> Predicate {
        let right = model.right(action, for: identity)
        guard right != .deny else { throw .unauthorized(field, on: "Query") }
        return right.predicate
    }

    private func get(
        _ model: ServerModel, _ arguments: JSONObject, _ field: SelectionCollector.Field, _ name: String
    ) async throws -> RequestExecution.Outcome {
        let visible = try RecordFilter(permitted(.get, model, name), on: model)
        var key: [Value] = []
        for name in model.key {
            guard let column = model.column(name), let value = arguments[name] else { return .null }
            key.append(try column.keyCell(value))
        }
        guard let rows = try await reader.record(RecordKey(key), of: model) else { return .null }
        guard visible.matches(Array(rows[0])) else { throw RequestFault.unauthorized(name, on: "Query") }
        return .record(try await reader.withRelations(rows, try compiler.record(field.selections, of: model)))
    }

    private func list(
        _ model: ServerModel, key: [String], isKey: Bool, _ permitted: Predicate, _ arguments: JSONObject,
        _ field: SelectionCollector.Field, _ name: String
    ) async throws -> RequestExecution.Outcome {
        var predicates = [permitted]
        var sort: [SortKey] = []
        var start: WireValue = .null
        var keyTest: FilterTest?
        if isKey, let first = key.first {
            let rest = Array(key.dropFirst())
            start = arguments[first] ?? .null
            if let column = model.column(first), !start.isNull {
                let filters = FilterReader(model: model, identity: identity)
                let condition = try KeyCondition(arguments, on: rest, with: filters)
                keyTest = condition.test
                predicates.append(.compare(first, .equal, try column.type.cell(start)))
                // The order of a page shows them, too.
                predicates += try filters.readable(key)
                sort = KeyCondition.sort(rest, arguments)
            } else if arguments["sortDirection"]?.isNull == false
                || arguments[KeyCondition.argument(for: rest)]?.isNull == false && !rest.isEmpty
            {
                throw RequestFault.invalidArgument(
                    "The arguments sortDirection and those of the sort key need the argument \(first).")
            }
        }
        let query = SnapshotReader.Query(
            model: model, predicate: predicates.count == 1 ? predicates[0] : .and(predicates),
            filter: try reader.filter(arguments, on: model, and: keyTest), sort: sort,
            limit: try service.options.limits.limit(arguments, default: service.options.limits.defaultPage),
            token: arguments["nextToken"]?.string, context: "\(name) \(start.text) \(sort)")
        let (rows, next) = try await reader.page(query)
        let selection = try compiler.page(field.selections, of: model)
        let page = try await reader.pageWithRelations(rows, selection, next: next, context: query.context) {
            SnapshotReader.token(after: Array(rows[$0]), query)
        }
        return .page(page, selection)
    }

    // MARK: - Sync

    /// All records with those that were deleted, or those that changed since a label.
    private func sync(
        _ model: ServerModel, _ arguments: JSONObject, _ field: SelectionCollector.Field, _ name: String
    ) async throws -> RequestExecution.Outcome {
        let limits = service.options.limits
        let permitted = try permitted(.sync, model, name)
        let lastSync = arguments["lastSync"]?.integer ?? 0
        let context = "\(name) \(lastSync)"
        var token: PageToken?
        if let text = arguments["nextToken"]?.string {
            token = PageToken(text: text, secret: service.secret, context: context)
            guard token != nil else {
                throw RequestFault.invalidArgument("The nextToken is not one of this list; begin without it.")
            }
        }
        let page = SyncPage(
            model: model, permitted: permitted, filter: try reader.filter(arguments, on: model, for: [.sync]),
            limit: try limits.limit(arguments, default: limits.defaultPage))
        let content = try await page.read(token, lastSync: lastSync, with: reader, labels: service.labels)
        let selection = try compiler.page(field.selections, of: model)
        var loaded = try await reader.pageWithRelations(
            content.rows, selection, next: content.next, startedAt: content.label, context: context,
            tokenAfter: content.tokenAfter)
        loaded.isBaseInsteadOfDelta = content.isBaseInsteadOfDelta
        return .page(loaded, selection)
    }
}
