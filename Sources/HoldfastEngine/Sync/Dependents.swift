import HoldfastModel
import HoldfastStorage

/// The records that a commit of what a service said shows or hides without writing them.
///
/// A model that holds its parents is hidden while one that it must have is not there. So a record that comes or goes
/// may show or hide those that belong to it, and these those that belong to them in turn. The models themselves decide:
/// they are read as they are before the commit and after it.
///
/// A session makes these commits one at a time, so each sees the parents that earlier ones brought.
struct Dependents {
    /// So many records are looked up by one relation, at most.
    ///
    /// Of more, observers learn only that any may have changed.
    static let maximumCount = 1_000

    private let store: DataStore
    private let snapshot: StoreSnapshot
    /// The store as the commit leaves it, once ``seen`` is there.
    private let after: RecordTransaction
    /// The records that the commit writes, and those that were looked at, by entity; `nil` as long as none was needed.
    private var seen: [String: Set<RecordKey>]?
    /// The entities with too many records to look at.
    private var missed: Set<String> = []

    init(of store: DataStore, in snapshot: StoreSnapshot) {
        self.store = store
        self.snapshot = snapshot
        after = RecordTransaction(engine: store.engine, snapshot: snapshot)
    }

    /// Adds them to a commit.
    ///
    /// What is shown counts as created, what is hidden as deleted, and what holds another parent than before as
    /// updated.
    mutating func addVisibilityChanges(to draft: inout SyncDraft) async throws {
        // Live queries look at the parents themselves. Only those who observe single records need to learn what goes.
        let isObserved = store.publisher.readsRelatedRecords
        var pendingParents: [(model: ModelCatalog.RegisteredModel, rows: RowBuffer)] = []
        for (index, set) in draft.changes.enumerated() {
            var turned: [Int] = []
            if isObserved { turned = try await reclassify(set, at: index, in: &draft) }
            guard let model = store.catalog.model(named: set.entity.name),
                !store.catalog.holders(of: set.entity).isEmpty
            else { continue }
            turned += set.kinds.indices.filter {
                set.kinds[$0] == .created || isObserved && set.kinds[$0] == .deleted
            }
            pendingParents.append((model, set.rows.rows(turned.sorted())))
        }
        if !isObserved { draft.unexamined = unexamined(by: draft.changes) }
        while let (parent, rows) = pendingParents.popLast() {
            for holder in store.catalog.holders(of: parent.entity) where isObserved || holder.isIndexed {
                let (fields, columns) = (holder.fields, holder.relation.keyColumns(of: parent.schema))
                guard !rows.isEmpty, fields.count == columns.count else { continue }
                let keys = Set((0..<rows.rowCount).compactMap { rows.key($0, columns) }).sorted()
                let count = RelatedRowReader.keyCount(
                    columnCount: fields.count, store.store.capabilities.limits)
                var room = Self.maximumCount
                for part in keys.chunks(of: count) where !missed.contains(holder.model.entity.name) {
                    let found = try await snapshot.rows(
                        QueryPlan(holder.model.entity.name, where: .isAny(of: part, in: fields), limit: room + 1))
                    room -= found.rowCount
                    if room < 0 {
                        miss(holder.model.entity, &draft)
                        continue
                    }
                    let turned = try await addVisibilityChanges(found, of: holder.model, to: &draft)
                    if !turned.isEmpty { pendingParents.append((holder.model, turned)) }
                }
            }
        }
    }

    /// The entities of which records may be shown or hidden that no one was to learn of when this began.
    private func unexamined(by changes: [ChangeSet]) -> [EntitySchema] {
        let catalog = store.catalog
        let changed = changes.filter { set in
            set.kinds.contains { $0 != .created } || catalog.holders(of: set.entity).contains { !$0.isIndexed }
        }
        .map(\.entity)
        let holding = catalog.holdingEntities(of: changed)
        return holding
            + changed.filter { entity in
                (catalog.model(named: entity.name)?.canBeHidden ?? false)
                    && !holding.contains { $0.name == entity.name }
            }
    }

    /// Makes observers learn that any record of an entity, or of those that hold its records, may have changed.
    private mutating func miss(_ entity: EntitySchema, _ draft: inout SyncDraft) {
        for entity in [entity] + store.catalog.holdingEntities(of: [entity])
        where missed.insert(entity.name).inserted { draft.changes.append(.missed(entity, through: 0)) }
    }

    /// Adds those among some records that were not looked at before.
    ///
    /// - Returns: Those that are shown or hidden.
    private mutating func addVisibilityChanges(
        _ found: RowBuffer, of child: ModelCatalog.RegisteredModel, to draft: inout SyncDraft
    ) async throws -> RowBuffer {
        guard let type = child.type, !found.isEmpty else { return RowBuffer() }
        noteWrites(of: draft)
        let entity = child.entity
        var unseen: [Int] = []
        for row in 0..<found.rowCount {
            let key = entity.key(of: found[row])
            if seen?[entity.name, default: []].insert(key).inserted == true { unseen.append(row) }
        }
        let rows = found.rows(unseen)
        let before = Set(try await visible(type, rows, of: child, in: snapshot))
        let now = Set(try await visible(type, rows, of: child, in: after))
        draft.addVisibilityChanges(rows.rows(now.subtracting(before).sorted()), of: entity, as: .created)
        draft.addVisibilityChanges(rows.rows(now.intersection(before).sorted()), of: entity, as: .updated)
        draft.addVisibilityChanges(rows.rows(before.subtracting(now).sorted()), of: entity, as: .deleted)
        return rows.rows(now.symmetricDifference(before).sorted())
    }

    /// Makes a commit's changes count for observers as what they see of them, who see only visible records.
    ///
    /// An update that shows its record counts as a creation, and one that hides it as a deletion. What is hidden before
    /// and after is kept from them.
    ///
    /// - Returns: The positions of the updates that show or hide their records.
    private mutating func reclassify(
        _ set: ChangeSet, at index: Int, in draft: inout SyncDraft
    ) async throws -> [Int] {
        guard let model = store.catalog.model(named: set.entity.name), model.canBeHidden, let type = model.type else {
            return []
        }
        noteWrites(of: draft)
        let rows = set.kinds.indices
        let stored = rows.filter { set.kinds[$0] != .created }
        let left = rows.filter { set.kinds[$0] != .deleted }
        let keys = stored.map { set.entity.key(of: set.rows[$0]) }
        let old = try await keys.isEmpty ? RowBuffer() : snapshot.get(keys, of: set.entity)
        let before = Set(try await visible(type, old, of: model, in: snapshot).map { stored[$0] })
        let now = Set(try await visible(type, set.rows.rows(left), of: model, in: after).map { left[$0] })
        let updates = Set(rows.filter { set.kinds[$0] == .updated })
        let showing = updates.intersection(now).subtracting(before)
        let hiding = updates.intersection(before).subtracting(now)
        for row in showing { draft.changes[index].kinds[row] = .created }
        draft.keepFromObservers(
            rows.filter { !before.contains($0) && !now.contains($0) || hiding.contains($0) }, at: index)
        draft.addVisibilityChanges(
            old.rows(stored.indices.filter { hiding.contains(stored[$0]) }), of: set.entity, as: .deleted)
        return showing.union(hiding).sorted()
    }

    /// Notes what the commit writes, unless that was done.
    private mutating func noteWrites(of draft: SyncDraft) {
        if seen != nil { return }
        var written: [String: Set<RecordKey>] = [:]
        for set in draft.changes {
            let keys = set.kinds.indices.map { set.entity.key(of: set.rows[$0]) }
            written[set.entity.name, default: []].formUnion(keys)
            after.state.withLock { state in
                for (row, key) in keys.enumerated() {
                    state.read(set.entity, key, row: nil, version: 0)
                    state.write(set.entity, key, row: set.kinds[row] == .deleted ? nil : Array(set.rows[row]))
                }
            }
        }
        seen = written
    }

    /// The numbers of the rows whose models are visible.
    private func visible<M: Model>(
        _ type: M.Type, _ rows: RowBuffer, of model: ModelCatalog.RegisteredModel, in source: any RecordSource
    ) async throws -> [Int] {
        let parents = try await store.parents(of: rows, of: model, from: source)
        return (0..<rows.rowCount).filter { row in
            do throws(ModelError) {
                _ = try M(row: RowReader(rows, row: row, loader: store, parents: parents))
                return true
            } catch {
                // What cannot be read is not hidden: observers get an error for it.
                return error.kind != .missingRelation
            }
        }
    }
}

extension RowBuffer {
    /// The rows of some numbers, in ascending order.
    fileprivate func rows(_ numbers: [Int]) -> RowBuffer {
        var rows = self
        rows.keepRows(numbers)
        return rows
    }
}
