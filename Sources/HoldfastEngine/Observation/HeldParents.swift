import HoldfastModel
import HoldfastStorage

/// The related records that models which hold their parents themselves looked up, at every depth, found or not.
///
/// They decide whether a commit of another entity, or of the model's own, changes what the models hold.
struct HeldParents: Sendable {
    /// So many may be added to those of a query, besides as many as that has.
    static let roomForAdditions = 1_000

    /// The snapshot that was asked.
    private let sequence: UInt64
    /// The versions that were found, 0 where no record was: by entity, by the columns of the key, and by the key.
    private var versions: [String: [[Int]: [RecordKey: UInt64]]] = [:]
    /// How many were looked up, and how many were added later.
    private var (count, addedCount) = (0, 0)
    /// Whether models that were read at different moments may hold different states, or too many records are
    /// remembered that no model holds any longer.
    private(set) var areOutdated = false

    /// None yet.
    ///
    /// - Parameter sequence: That of the snapshot in which they will be looked up.
    init(sequence: UInt64) { self.sequence = sequence }

    /// Remembers what was looked up for records.
    ///
    /// - Parameters:
    ///   - page: Rows of the model.
    ///   - rows: Those of them that matter.
    ///   - model: The model.
    ///   - parents: What was found for the page; `nil` if nothing was looked up.
    ///   - catalog: Knows the related models.
    /// - Complexity: O(n) for n rows and found records.
    mutating func insert(
        _ page: RowBuffer, rows: some Sequence<Int>, of model: ModelCatalog.RegisteredModel, _ parents: ParentRows?,
        in catalog: ModelCatalog
    ) {
        guard let parents else { return }
        for relation in model.eagerRelations {
            guard let found = parents[relation.field], let related = catalog.model(named: relation.model) else {
                continue
            }
            let columns = relation.keyColumns(of: related.schema)
            let isPrimary = columns == related.schema.primaryKeyColumns
            var positions: Set<Int> = []
            var sought: [RecordKey: UInt64] = [:]
            for row in rows {
                guard let key = relation.key(in: page, row: row) else { continue }
                let position = found.positions[key]
                sought[key] = position.map { found.rows.versions[$0] } ?? 0
                if let position { positions.insert(position) }
            }
            insert(sought, of: related.entity.name, by: columns)
            if !isPrimary {
                // A record that moves away, or is deleted, is known by its own key only.
                let keys = positions.map { (related.entity.key(of: found.rows[$0]), found.rows.versions[$0]) }
                insert(
                    Dictionary(keys) { first, _ in first }, of: related.entity.name,
                    by: related.schema.primaryKeyColumns)
            }
            insert(found.rows, rows: positions, of: related, found.parents, in: catalog)
        }
    }

    private mutating func insert(_ found: [RecordKey: UInt64], of entity: String, by columns: [Int]) {
        if found.isEmpty { return }
        var known = versions[entity, default: [:]].removeValue(forKey: columns) ?? [:]
        for (key, version) in found where known.updateValue(version, forKey: key) == nil { count += 1 }
        versions[entity, default: [:]][columns] = known
    }

    /// Adds what was looked up for changes of the model's own records.
    ///
    /// - Parameters:
    ///   - others: What was looked up.
    ///   - changes: The sequence of the changes' commit, which may be older than what was looked up: then the models
    ///     would show a later commit in part.
    mutating func add(_ others: HeldParents, for changes: UInt64) {
        for (entity, byColumns) in others.versions {
            for (columns, found) in byColumns {
                for (key, version) in found {
                    if let known = versions[entity]?[columns]?[key] {
                        if known != version { areOutdated = true }
                        continue
                    }
                    versions[entity, default: [:]][columns, default: [:]][key] = version
                    addedCount += 1
                    if version > changes || version == 0 && others.sequence > changes { areOutdated = true }
                }
            }
        }
        if addedCount > count + Self.roomForAdditions { areOutdated = true }
    }

    /// Whether a commit may have changed one of them, or brought one that was not there.
    func mayDiffer(after changes: ChangeSet) -> Bool {
        guard let byColumns = versions[changes.entity.name] else { return false }
        switch changes.knowledge {
        case .missed, .mayHaveHappened: return true
        case .certain, .keysOnly: break
        }
        if changes.sequence <= sequence { return false }
        return byColumns.contains { columns, known in
            let isPrimary = columns == changes.entity.primaryKeyPositions
            return changes.kinds.indices.contains { row in
                if !isPrimary {
                    // One that was found is known by its primary key, too.
                    if changes.kinds[row] == .deleted { return false }
                    if changes.knowledge == .keysOnly { return true }
                }
                let key = RecordKey(columns.map { changes.rows[row, $0] })
                return known[key].map { $0 < changes.sequence } ?? false
            }
        }
    }

    /// Whether all of them are among others, in the same versions.
    func areSame(in others: HeldParents) -> Bool {
        versions.allSatisfy { entity, byColumns in
            byColumns.allSatisfy { columns, found in
                let known = others.versions[entity]?[columns] ?? [:]
                return found.allSatisfy { known[$0] == $1 }
            }
        }
    }
}

extension ModelCatalog {
    /// The entities of the records that a model holds itself, at every depth.
    func heldEntities(of model: RegisteredModel) -> Set<String> {
        var entities: Set<String> = []
        var rest = [model]
        while let next = rest.popLast() {
            if !next.isEager { continue }
            for relation in next.eagerRelations where entities.insert(relation.model).inserted {
                if let related = self.model(named: relation.model) { rest.append(related) }
            }
        }
        return entities
    }
}
