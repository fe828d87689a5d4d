import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// Reads records for one request, all from one snapshot.
struct SnapshotReader {
    let snapshot: StoreSnapshot
    let identity: Identity
    let limits: ServerLimits
    let secret: (UInt64, UInt64)
    /// Counts what the request has read.
    let meter: RowMeter

    /// A list of records.
    struct Query {
        var model: ServerModel
        /// Which records, as far as the service says.
        var predicate: Predicate
        /// Which records, as far as the request says.
        var filter: RecordFilter?
        var sort: [SortKey] = []
        var limit: Int
        var token: String?
        /// What distinguishes this list from others; tokens of others are refused.
        var context: String
    }

    /// The records of a page.
    ///
    /// A page is shorter than its limit if the filter skips many records, or if they are large; its token then continues
    /// the list.
    ///
    /// - Parameters:
    ///   - query: The list.
    ///   - cursor: The last cells of the page before, where the query's token does not say.
    /// - Returns: The rows, and where the next page begins; `nil` at the end.
    /// - Throws: ``RequestFault`` if the token is not one of this list, or the request reads too much; ``StorageError``
    ///   of the store.
    func page(_ query: Query, after cursor: [Value]? = nil) async throws -> (rows: RowBuffer, next: PageToken?) {
        let entity = query.model.entity
        var plan = QueryPlan(
            entity.name, where: Self.both(query.predicate, query.filter?.predicate), sort: query.sort,
            after: cursor.map { Cursor($0) })
        if let text = query.token {
            guard let token = PageToken(text: text, secret: secret, context: query.context) else {
                throw RequestFault.invalidArgument("The nextToken is not one of this list; begin without it.")
            }
            plan.after = Cursor(token.cursor)
        }
        let filter = query.filter.flatMap { $0.hasRest ? $0 : nil }
        if filter == nil { plan.limit = query.limit + 1 }
        var result = RowBuffer(columnCount: entity.fields.count)
        let recordCost = filter?.recordCost ?? 1
        // A list costs something even if it is empty.
        try meter.take(1 + (query.filter?.queryCost ?? 0))
        var scan = try await snapshot.query(plan)
        var rows = RowBuffer()
        var seen = 0
        var budget = PageBudget(rowCount: query.limit, byteCount: limits.pageByteCount, meter: meter)
        while true {
            try await scan.next(maximumRowCount: min(budget.batchRowCount, query.limit + 1), into: &rows)
            if rows.isEmpty { return (result, nil) }
            try meter.take(rows.rowCount * recordCost)
            for index in 0..<rows.rowCount {
                seen += recordCost
                var isPart = true
                if let filter, !budget.isFull {
                    seen += try filter.takeBytes(of: index, in: rows, from: meter)
                    isPart = rows.withRow(index) { filter.matchesRest($0) }
                }
                guard isPart else {
                    if seen < limits.rowsLookedAt { continue }
                    await scan.close()
                    return (result, Self.token(after: Array(rows[index]), query))
                }
                guard try budget.take(rows[index]) else {
                    await scan.close()
                    let last = result.isEmpty ? nil : Array(result[result.rowCount - 1])
                    return (result, last.map { Self.token(after: $0, query) })
                }
                result.append(rows[index], version: rows.versions[index])
                // A request that goes on would fail each time it is sent.
                if filter != nil, !budget.isFull, seen >= limits.rowsLookedAt {
                    await scan.close()
                    return (result, Self.token(after: Array(rows[index]), query))
                }
            }
            budget.sizeNextBatch(after: rows)
        }
    }

    /// Where the page begins that follows a record of a list.
    static func token(after row: [Value], _ query: Query) -> PageToken {
        PageToken(cursor: Cursor(after: row, of: query.model.entity, sortedBy: query.sort).values)
    }

    /// Both conditions, in one level: stores find the range of keys in the parts of the outermost `and`.
    static func both(_ first: Predicate, _ second: Predicate?) -> Predicate {
        guard let second, second != .all else { return first }
        if first == .all { return second }
        return .and([first, second].flatMap { if case .and(let parts) = $0 { parts } else { [$0] } })
    }

    /// The record of a key; `nil` if there is none.
    func record(_ key: RecordKey, of model: ServerModel) async throws -> RowBuffer? {
        var rows = RowBuffer()
        try meter.take(1)
        try await snapshot.get([key], of: model.name, into: &rows)
        guard rows.versions[0] != 0 else { return nil }
        try meter.take(byteCount: rows[0].byteCount)
        return rows
    }

    // MARK: - Relations

    /// The other records that are read at once, before their bytes are counted.
    private static let keyBatchCount = 64

    /// Records with all that their selection needs.
    ///
    /// - Throws: ``StorageError`` of the store. What is wrong with the request is an error of the relation.
    func withRelations(_ rows: RowBuffer, _ selection: RecordSelection) async throws -> LoadedRecords {
        var relations: [LoadedRelation] = []
        for relation in selection.relations where !rows.isEmpty {
            do {
                relations.append(try await load(relation, of: rows, in: selection.model))
            } catch {
                // The records stay in the answer, which may say that they were just written.
                guard let fault = RequestFault(ofClient: error) else { throw error }
                relations.append(.failed(fault))
            }
        }
        return LoadedRecords(selection, rows: rows, relations: relations)
    }

    private func load(
        _ selection: SelectedRelation, of rows: RowBuffer, in model: ServerModel
    ) async throws -> LoadedRelation {
        switch selection.reading {
        case .denied, .hidden: return .denied
        case .always, .when: if selection.right == .deny { return .denied }
        }
        let positions = selection.relation.own.compactMap { model.column($0)?.position }
        let values = (0..<rows.rowCount).map { row in positions.map { rows[row, $0] } }
        switch selection.target {
        case .page(let page, let arguments):
            guard let readable = readable(selection) else { return .denied }
            let filter = try selection.filter.value {
                let condition = try KeyCondition(
                    arguments, on: selection.relation.sortFields,
                    with: FilterReader(model: page.model, identity: identity))
                return try self.filter(arguments, on: page.model, for: ModelAccess.reading, and: condition.test)
            }
            var pages: [LoadedPage?] = []
            for values in values {
                let hasKey = !values.contains(where: \.isNull)
                let loaded =
                    hasKey
                    ? try await pageOfRelation(page, arguments, filter, of: values, selection, readable, in: model)
                    : nil
                pages.append(loaded)
            }
            return .pages(pages)
        case .record(let target):
            return try await records(target, values, selection)
        }
    }

    /// Where the identity may read the fields that say which records a relation has, and in which order; `nil` for
    /// nowhere.
    private func readable(_ selection: SelectedRelation) -> [Predicate]? {
        let (model, relation) = (selection.model, selection.relation)
        // Where a record belongs is open to all who may use it, unless a rule speaks of just that.
        let fields = model.ruled(relation.other, for: identity) + relation.sortFields
        return try? FilterReader(model: model, identity: identity, actions: ModelAccess.reading).readable(fields)
    }

    /// The other records of single relations, each read once.
    private func records(
        _ target: RecordSelection, _ values: [[Value]], _ selection: SelectedRelation
    ) async throws -> LoadedRelation {
        let other = target.model
        var positions: [RecordKey: Int] = [:]
        var found = RowBuffer(columnCount: other.entity.fields.count)
        let keys = values.map { $0.isEmpty || $0.contains(where: \.isNull) ? nil : RecordKey($0) }
        var wanted = Array(Set(keys.compactMap { $0 })).sorted()
        let visible = try RecordFilter(selection.right.predicate, on: other)
        if selection.relation.other == other.key {
            var rows = RowBuffer()
            try meter.take(wanted.count)
            // A field may hold what no record can have as its key. The store would refuse to read the others with it.
            let count = wanted.partition { !snapshot.canHave($0, in: other.name) }
            for (index, key) in wanted.enumerated() {
                let offset = index % Self.keyBatchCount
                if offset == 0, index < count {
                    let end = min(index + Self.keyBatchCount, count)
                    try await snapshot.get(Array(wanted[index..<end]), of: other.name, into: &rows)
                }
                // Of a record that was purged the key is still known, and a client that asks for no more must not lose
                // it.
                let version = index < count ? rows.versions[offset] : 0
                var row = version > 0 ? Array(rows[offset]) : other.tombstone(of: key)
                if version > 0, !visible.matches(row) {
                    // Null in its place would make the whole record null that has the key and shows it.
                    guard selection.type.isNonNull else { continue }
                    row = other.blankRow(key)
                }
                positions[key] = found.rowCount
                found.append(row, version: version)
                try meter.take(byteCount: row.byteCount)
            }
        } else {
            guard let readable = readable(selection) else { return .denied }
            let isDeleted = Predicate.compare("_deleted", .equal, .boolean(true))
            for key in wanted {
                let predicates =
                    [Self.equal(selection.relation.other, key.components), selection.right.predicate] + readable
                // A record may have taken the place of one that was deleted.
                var rows = try await first(of: other, predicates + [.not(isDeleted)])
                if rows.isEmpty { rows = try await first(of: other, predicates + [isDeleted]) }
                guard !rows.isEmpty else { continue }
                positions[key] = found.rowCount
                found.append(rows[0], version: rows.versions[0])
            }
        }
        return .records(try await withRelations(found, target), positions: keys.map { $0.flatMap { positions[$0] } })
    }

    private func first(of model: ServerModel, _ predicates: [Predicate]) async throws -> RowBuffer {
        try await page(Query(model: model, predicate: .and(predicates), limit: 1, context: "")).rows
    }

    private static func equal(_ fields: [String], _ values: [Value]) -> Predicate {
        .and(zip(fields, values).map { .compare($0, .equal, $1) })
    }

    private func pageOfRelation(
        _ page: PageSelection, _ arguments: JSONObject, _ filter: RecordFilter?, of values: [Value],
        _ selection: SelectedRelation, _ readable: [Predicate], in model: ServerModel
    ) async throws -> LoadedPage {
        let relation = selection.relation
        let query = Query(
            model: page.model,
            predicate: .and(
                [Self.equal(relation.other, values), selection.right.predicate] + readable),
            filter: filter, sort: KeyCondition.sort(relation.sortFields, arguments),
            limit: try limits.limit(arguments, default: relation.limit ?? limits.defaultPage),
            token: arguments["nextToken"]?.string,
            context: "\(model.name).\(selection.field) \(RecordKey(values).components)")
        let (rows, next) = try await self.page(query)
        return try await pageWithRelations(rows, page, next: next, context: query.context)
    }

    /// A page with all that its selections need.
    ///
    /// It ends earlier if its relations have more records, or more bytes, than a request may read: a client that asks
    /// for so many records each time would never come further.
    ///
    /// - Parameters:
    ///   - rows: The records.
    ///   - page: What is selected of the page.
    ///   - next: Where the next page begins; `nil` at the end.
    ///   - startedAt: The label of the first page; `nil`, the default, for lists that have none.
    ///   - context: What distinguishes the list from others.
    ///   - tokenAfter: Where a page begins that follows a record of this one, counted from 0; `nil`, the default, if this
    ///     page cannot end earlier.
    /// - Returns: The page.
    /// - Throws: As ``withRelations(_:_:)``.
    func pageWithRelations(
        _ rows: RowBuffer, _ page: PageSelection, next: PageToken?, startedAt: Int64? = nil, context: String,
        tokenAfter: (@Sendable (Int) -> PageToken)? = nil
    ) async throws -> LoadedPage {
        var (rows, next) = (rows, next)
        var items: [LoadedRecords] = []
        let rest = meter.rest
        while true {
            for selection in page.items { items.append(try await withRelations(rows, selection)) }
            guard let tokenAfter, meter.isExhausted, rows.rowCount > 1, meter.reset(to: rest) else { break }
            // What was read goes.
            items = []
            rows.keepRows(0..<max(1, rows.rowCount / 8))
            next = tokenAfter(rows.rowCount - 1)
        }
        var loaded = LoadedPage(
            items: items, nextToken: next?.text(secret: secret, context: context), startedAt: startedAt)
        if let tokenAfter {
            loaded.tokenAfter = { [secret] in tokenAfter($0).text(secret: secret, context: context) }
        }
        return loaded
    }

    /// The filter of arguments, and what they demand of a key; `nil` if there is neither.
    ///
    /// - Throws: ``RequestFault`` if it compares a field that the identity may not read.
    func filter(
        _ arguments: JSONObject, on model: ServerModel, for actions: Set<ModelAccess.Action> = [.list],
        and key: FilterTest? = nil
    ) throws -> RecordFilter? {
        var tests = key.map { [$0] } ?? []
        if let filter = arguments["filter"], !filter.isNull {
            tests.append(try FilterReader(model: model, identity: identity, actions: actions).test(filter))
        }
        return tests.isEmpty ? nil : try RecordFilter(.and(tests), on: model)
    }
}

extension Service {
    /// Records that are there already, with all that a selection needs of others, from one snapshot.
    ///
    /// The meter is that of the request; `nil`, the default, for that of an event.
    ///
    /// - Throws: As ``SnapshotReader/withRelations(_:_:)``.
    func withRelations(
        _ rows: RowBuffer, _ selection: RecordSelection, for identity: Identity, _ meter: RowMeter? = nil
    ) async throws -> LoadedRecords {
        guard !selection.relations.isEmpty else { return LoadedRecords(selection, rows: rows, relations: []) }
        return try await store.withSnapshot { snapshot in
            let reader = SnapshotReader(
                snapshot: snapshot, identity: identity, limits: options.limits, secret: secret,
                meter: meter
                    ?? RowMeter(limit: options.limits.rowsPerEvent, byteLimit: options.limits.rowBytesPerEvent))
            return try await reader.withRelations(rows, selection)
        }
    }
}
