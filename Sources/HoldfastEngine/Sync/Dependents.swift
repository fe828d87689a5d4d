import HoldfastModel
import HoldfastStorage

/// The records that a commit of what a service said shows or hides without writing them.
///
/// A model that holds its parents is hidden while one that it must have is not there. So a record that comes or goes
/// may show or hide those that belong to it, and these those that belong to them in turn. The models themselves decide:
/// they are read as they are before the commit and after it.
///
/// The fence runs these commits one at a time, so each sees the parents that earlier ones brought.
struct Dependents {
    private let store: DataStore
    private let snapshot: StoreSnapshot
    /// The store as the commit leaves it, once ``seen`` is there.
    private let after: RecordTransaction
    /// The records that the commit writes, and those that were looked at, by entity; `nil` as long as none was needed.
    private var seen: [String: Set<RecordKey>]?

    init(of store: DataStore, in snapshot: StoreSnapshot) {
        self.store = store
        self.snapshot = snapshot
        after = RecordTransaction(engine: store.engine, snapshot: snapshot)
    }

    /// Adds them to a commit.
    ///
    /// What is shown counts as created, what is hidden as deleted, and what holds another parent than before as
    /// updated. An update that shows its record counts as its creation.
    mutating func addVisibilityChanges(to draft: inout SyncDraft) async throws {
        // Live queries look at the parents themselves. Only those who observe single records need to learn what goes.
        let isObserved = store.publisher.readsRelatedRecords
        var pendingParents: [(entity: EntitySchema, keys: [RecordKey])] = []
        for (place, set) in draft.changes.enumerated() {
            var turned: [Int] = []
            if isObserved { turned = try await reclassifyUpdates(of: set, at: place, in: &draft) }
            if store.catalog.holdingKeys(to: set.entity).isEmpty { continue }
            turned += set.kinds.indices.filter {
                set.kinds[$0] == .created || isObserved && set.kinds[$0] == .deleted
            }
            pendingParents.append((set.entity, turned.map { set.entity.key(of: set.rows[$0]) }))
        }
        while let (parent, keys) = pendingParents.popLast() {
            for relation in store.catalog.holdingKeys(to: parent) {
                guard let child = store.catalog.model(named: relation.child.name) else { continue }
                let count = RelatedRowReader.keyCount(
                    columnCount: relation.columns.count, store.store.capabilities.limits)
                for part in keys.chunks(of: count) {
                    let found = try await snapshot.rows(
                        QueryPlan(child.entity.name, where: relation.isAny(of: part)))
                    let turned = try await addVisibilityChanges(found, of: child, to: &draft)
                    if !turned.isEmpty { pendingParents.append((child.entity, turned)) }
                }
            }
        }
    }

    /// Adds those among some records that were not looked at before.
    ///
    /// - Returns: The keys of those that are shown or hidden.
    private mutating func addVisibilityChanges(
        _ found: RowBuffer, of child: ModelCatalog.RegisteredModel, to draft: inout SyncDraft
    ) async throws -> [RecordKey] {
        if found.isEmpty { return [] }
        noteWrites(of: draft)
        let entity = child.entity
        var unseen: [Int] = []
        for row in 0..<found.rowCount {
            let key = entity.key(of: found[row])
            if seen?[entity.name, default: []].insert(key).inserted == true { unseen.append(row) }
        }
        let rows = found.rows(unseen)
        let kinds = try await kinds(of: rows, rows, child)
        for kind in [ChangeKind.created, .updated, .deleted] {
            draft.addVisibilityChanges(rows.rows(kinds.indices.filter { kinds[$0] == kind }), of: entity, as: kind)
        }
        return kinds.indices.filter { kinds[$0] == .created || kinds[$0] == .deleted }
            .map { entity.key(of: rows[$0]) }
    }

    /// Makes updates that show a record count as creations, and adds deletions for those that hide one.
    ///
    /// - Returns: The positions of both in the set.
    private mutating func reclassifyUpdates(
        of set: ChangeSet, at place: Int, in draft: inout SyncDraft
    ) async throws -> [Int] {
        let updated = set.kinds.indices.filter { set.kinds[$0] == .updated }
        guard !updated.isEmpty, let model = store.catalog.model(named: set.entity.name), model.needsParents else {
            return []
        }
        noteWrites(of: draft)
        let old = try await snapshot.get(updated.map { set.entity.key(of: set.rows[$0]) }, of: set.entity)
        let kinds = try await kinds(of: old, set.rows.rows(updated), model)
        for (row, kind) in zip(updated, kinds) where kind == .created {
            draft.changes[place].kinds[row] = .created
        }
        draft.addVisibilityChanges(
            old.rows(kinds.indices.filter { kinds[$0] == .deleted }), of: set.entity, as: .deleted)
        return kinds.indices.filter { kinds[$0] == .created || kinds[$0] == .deleted }.map { updated[$0] }
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

    /// What records become for those who see only visible ones; `nil` if they are hidden before and after the commit.
    private func kinds(
        of old: RowBuffer, _ new: RowBuffer, _ model: ModelCatalog.RegisteredModel
    ) async throws -> [ChangeKind?] {
        guard let type = model.type else { return Array(repeating: nil, count: old.rowCount) }
        let before = try await isVisible(type, old, of: model, in: snapshot)
        let now = try await isVisible(type, new, of: model, in: after)
        return zip(before, now).map { before, now -> ChangeKind? in
            if before { return now ? .updated : .deleted }
            return now ? .created : nil
        }
    }

    private func isVisible<M: Model>(
        _ type: M.Type, _ rows: RowBuffer, of model: ModelCatalog.RegisteredModel, in source: any RecordSource
    ) async throws -> [Bool] {
        let parents = try await store.parents(of: rows, of: model, from: source)
        var isVisible: [Bool] = []
        for row in 0..<rows.rowCount {
            do throws(ModelError) {
                _ = try M(row: RowReader(rows, row: row, loader: store, parents: parents))
                isVisible.append(true)
            } catch {
                // What cannot be read is not hidden: observers get an error for it.
                isVisible.append(error.kind != .missingRelation)
            }
        }
        return isVisible
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
