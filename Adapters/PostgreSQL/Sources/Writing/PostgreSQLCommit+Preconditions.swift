#if PostgreSQL
internal import HoldfastAdapterKit
internal import HoldfastStorage

extension PostgreSQLCommit {
    func role(ofPrecondition index: Int) -> Role {
        isExact || request.preconditions.count == 1 ? .precondition(index) : .preconditions
    }

    /// Whether the commit puts a record that must be absent; it does not keep others from putting that record.
    var putsAbsentRecord: Bool {
        request.preconditions.contains { precondition in
            guard case .absent(let entity, let key) = precondition else { return false }
            return putKeys[entity]?.contains(key) == true
        }
    }

    /// Turns a truth into a statement that fails if it is false.
    private static func require(_ condition: String) -> String {
        "SELECT 1 / (CASE WHEN \(condition) THEN 1 ELSE 0 END)"
    }

    /// What a precondition says about a record.
    private enum Demand {
        case absent, present, version

        /// How a row is locked that is to stay so and that the commit does not write; `nil` if there is none.
        var lock: String? {
            switch self {
            case .absent: nil
            case .present: " FOR KEY SHARE"
            case .version: " FOR SHARE"
            }
        }

        /// How many rows there must be for a number of records.
        func rowCount(of recordCount: Int) -> Int { self == .absent ? 0 : recordCount }
    }

    private struct Group: Hashable {
        var entity: String
        var demand: Demand
        /// How the rows are locked, if they are.
        var lock = ""
    }

    /// Has operations check the versions of the records that they replace or delete, which spares a statement and a
    /// lock.
    ///
    /// Possible where every record has a version, and nothing else is done with those of the entity.
    mutating func joinPreconditions() {
        var versions: [String: [RecordKey: (index: Int, version: UInt64)]] = [:]
        for (index, precondition) in request.preconditions.enumerated() {
            // Of two versions of one record the first stays to be checked by itself.
            if case .version(let entity, let key, let version) = precondition {
                versions[entity, default: [:]][key] = (index, version)
            }
        }
        for (index, operation) in request.operations.enumerated() {
            let name = operation.entity
            guard let versions = versions[name], let entity = tables[name]?.entity else { continue }
            let keys: [RecordKey]
            switch operation {
            case .put(_, let rows, let mode) where mode != .insert:
                keys = (0..<rows.rowCount).map { entity.key(of: rows[$0]) }
            case .delete(_, let deleted): keys = deleted
            case .put, .clear: continue
            }
            guard writtenKeys[name]?.count == keys.count, request.operations.count(where: { $0.entity == name }) == 1
            else { continue }
            let replaced = keys.compactMap { versions[$0] }
            guard !keys.isEmpty, replaced.count == keys.count else { continue }
            replacedVersions[index] = replaced.map(\.version)
            joinedPreconditions.formUnion(replaced.map(\.index))
        }
    }

    /// Checks what must hold before anything is written.
    mutating func check() throws(StorageError) {
        var groups: [Group: [(index: Int, key: RecordKey, version: UInt64)]] = [:]
        var order: [Group] = []
        for (index, precondition) in request.preconditions.enumerated() where !joinedPreconditions.contains(index) {
            let (entity, demand, key, version): (String, Demand, RecordKey, UInt64)
            switch precondition {
            case .absent(let name, let asked): (entity, demand, key, version) = (name, .absent, asked, 0)
            case .present(let name, let asked): (entity, demand, key, version) = (name, .present, asked, 0)
            case .version(let name, let asked, let number):
                (entity, demand, key, version) = (name, .version, asked, number)
            case .unchanged(let range, let since):
                try check(range, since: since, at: index)
                continue
            }
            var group = Group(entity: entity, demand: demand)
            if locksRows, let lock = demand.lock {
                // Also those that the commit replaces: a put does not notice that another commit has deleted the
                // record.
                let isWritten = writtenKeys[entity]?.contains(key) == true
                group.lock = isWritten ? " FOR NO KEY UPDATE" : lock
            }
            if isExact {
                try check(group, [(index, key, version)])
            } else {
                if groups[group] == nil { order.append(group) }
                groups[group, default: []].append((index, key, version))
            }
        }
        for group in order { try check(group, groups[group] ?? []) }
    }

    private mutating func check(
        _ group: Group, _ members: [(index: Int, key: RecordKey, version: UInt64)]
    ) throws(StorageError) {
        let table = try table(group.entity)
        var parameters = PostgreSQLParameters()
        if members.count == 1 {
            let member = members[0]
            table.append(member.key, to: &parameters)
            var source = "SELECT 1 FROM \(table.name) WHERE \(table.keyCondition(from: 1))"
            if group.demand == .version {
                parameters.append(Int64(bitPattern: member.version))
                source += " AND \(table.versionName) = $\(parameters.count)"
            }
            source += group.lock
            let condition = "(SELECT count(*) FROM (\(source)) AS s) = \(group.demand.rowCount(of: 1))"
            return add(Self.require(condition), parameters, role(ofPrecondition: member.index))
        }
        table.append(members.map(\.key), to: &parameters)
        var extra: [String] = []
        var join = table.keyJoin
        if group.demand == .version {
            parameters.append(members.map { .integer(Int64(bitPattern: $0.version)) }, asArrayOf: .integer)
            extra = ["v"]
            join += " AND t.\(table.versionName) = k.v"
        }
        var source = "SELECT 1 FROM \(table.keyTable(from: 1, extra: extra)) JOIN \(table.name) AS t ON \(join)"
        if !group.lock.isEmpty { source += group.lock + " OF t" }
        let condition = "(SELECT count(*) FROM (\(source)) AS s) = \(group.demand.rowCount(of: members.count))"
        add(Self.require(condition), parameters, .preconditions)
    }

    /// Exact for records that were written; any deletion of the entity counts, wherever it was.
    private mutating func check(_ range: KeyRange, since: UInt64, at index: Int) throws(StorageError) {
        let table = try table(range.entity)
        if let prefix = range.indexPrefix, let predicate = prefix.predicate(of: table.entity) {
            return check(predicate, count: prefix.keys.count, since: since, table, at: index)
        }
        var parameters = PostgreSQLParameters()
        parameters.append(Int64(clamping: since))
        parameters.append(table.number)
        var condition = PostgreSQLPredicateWriter(table: table, parameters: parameters)
        condition.write(range)
        parameters = condition.parameters
        var others = ""
        if !request.operations.isEmpty {
            // Its own line is in the log already.
            parameters.append(sequenceBase)
            others = " AND sequence < pg_current_xact_id()::text::int8 + $\(parameters.count)"
        }
        let schema = table.schema
        let newer = "FROM \(table.name) WHERE \(table.versionName) > $1 AND \(condition.sql)"
        // In the order of the index, as the server would rather read all records than trust that few are newer.
        let isNewer =
            table.entity.isOrderedByVersion
            ? "(SELECT \(table.versionName) \(newer) ORDER BY \(table.versionName) DESC LIMIT 1) IS NOT NULL"
            : "EXISTS (SELECT 1 \(newer))"
        add(
            "SELECT 1 / (CASE WHEN NOT EXISTS (SELECT 1 FROM \(schema).holdfast_commit WHERE sequence > $1\(others)) "
                + "THEN 1 WHEN EXISTS (SELECT 1 FROM \(schema).holdfast_deletion WHERE entity = $2 AND sequence > $1) "
                + "THEN 0 WHEN \(isNewer) THEN 0 ELSE 1 END)", parameters, role(ofPrecondition: index))
    }

    /// Exact: a record that came is newer, and one that went is missing.
    private mutating func check(
        _ predicate: BoundPredicate, count: Int, since: UInt64, _ table: PostgreSQLTable, at index: Int
    ) {
        var parameters = PostgreSQLParameters()
        parameters.append(Int64(clamping: since))
        parameters.append(Int64(count))
        var condition = PostgreSQLPredicateWriter(table: table, parameters: parameters)
        condition.write(predicate)
        let held =
            "SELECT count(*) = $2 AND coalesce(max(\(table.versionName)), 0) <= $1 FROM \(table.name) "
            + "WHERE \(condition.sql)"
        add(Self.require("(\(held))"), condition.parameters, role(ofPrecondition: index))
    }
}
#endif
