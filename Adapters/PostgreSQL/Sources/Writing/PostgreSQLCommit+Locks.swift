#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension PostgreSQLCommit {
    mutating func collectKeys() {
        let asked = Set(
            request.preconditions.compactMap { precondition in
                switch precondition {
                case .absent(let entity, _), .present(let entity, _), .version(let entity, _, _): entity
                case .unchanged: nil as String?
                }
            })
        for operation in request.operations where asked.contains(operation.entity) {
            guard let entity = tables[operation.entity]?.entity else { continue }
            switch operation {
            case .put(let name, let rows, _):
                for row in 0..<rows.rowCount {
                    let key = entity.key(of: rows[row])
                    putKeys[name, default: []].insert(key)
                    writtenKeys[name, default: []].insert(key)
                }
            case .delete(let name, let keys): writtenKeys[name, default: []].formUnion(keys)
            case .clear: break
            }
        }
    }

    /// Takes the advisory locks, then gives the transaction its number and writes it to the log.
    ///
    /// The snapshot of a transaction that reads repeatably is taken here, before its number: a commit with a greater
    /// number that changed the same record makes this one fail, so that a record's versions only grow. The tables are
    /// locked before, without a snapshot. A transaction has a greater number than those that had its advisory locks
    /// before it, since the locks are taken first: the rows of a subquery are there before the statement writes one.
    ///
    /// Fails if another handle has migrated the store. A migration locks all tables, so none comes after this.
    mutating func addLog(_ token: [UInt8], _ changes: [UInt8]?, _ locks: PostgreSQLLocks, _ schema: String) {
        var parameters = PostgreSQLParameters()
        parameters.append(sequenceBase)
        parameters.append(.bytes(token), as: .bytes)
        parameters.append(Int64(putCount))
        parameters.append(migrationCount)
        var (columns, values) = ("sequence, token, put_count", "\(PostgreSQLTable.sequence), $2, ")
        values += unlessMigrated("$3", parameter: 4, schema)
        if let changes {
            parameters.append(.bytes(changes), as: .bytes)
            columns += ", changes"
            values += ", $5"
        }
        var source = ""
        if !locks.numbers.isEmpty {
            parameters.append(locks.numbers.map { .integer($0) }, asArrayOf: .integer)
            parameters.append(locks.areExclusive.map { .boolean($0) }, asArrayOf: .boolean)
            source =
                " FROM (SELECT count(CASE WHEN l.x THEN pg_advisory_xact_lock(l.k)::text "
                + "ELSE pg_advisory_xact_lock_shared(l.k)::text END) AS c "
                + "FROM unnest($\(parameters.count - 1), $\(parameters.count)) AS l(k, x)) AS l WHERE l.c > 0"
        }
        var settings: [(name: String, value: String)] = []
        // Set when the locks above are taken, for those of records.
        if touchesSeveralRecords { settings.append(("lock_timeout", "\(Self.recordWaitMilliseconds)")) }
        if keepsPlans { settings += PostgreSQLPuts.keptPlanSettings.map { ($0, "off") } }
        let set = settings.map { ", set_config('\($0.name)', '\($0.value)', true)" }.joined()
        add(
            "INSERT INTO \(schema).holdfast_commit (\(columns)) SELECT \(values)\(source) "
                + "RETURNING sequence\(set)", parameters, .log)
    }

    /// Whether the commit updates several records of an entity, and all that it does is by key.
    var keepsPlans: Bool {
        let isByKey =
            request.operations.allSatisfy { operation in
                if case .clear = operation { false } else { true }
            }
            && request.preconditions.allSatisfy { precondition in
                if case .unchanged = precondition { false } else { true }
            }
        return isByKey
            && request.operations.contains { operation in
                if case .put(_, let rows, .update) = operation { rows.rowCount > 1 } else { false }
            }
    }

    /// Whether the commit may hold one record while it waits for another.
    private var touchesSeveralRecords: Bool {
        var count = request.preconditions.count { precondition in
            switch precondition {
            case .absent, .unchanged: false
            case .present(let entity, let key), .version(let entity, let key, _):
                writtenKeys[entity]?.contains(key) != true
            }
        }
        for operation in request.operations {
            switch operation {
            case .put(_, let rows, _): count += rows.rowCount
            case .delete(_, let keys): count += keys.count
            case .clear: return true
            }
        }
        return count > 1
    }
}
#endif
