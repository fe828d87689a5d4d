import Foundation
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// Random models and relations, random writes: the store holds, records and publishes what the reference says.
struct ModelGraphTests {
    static let seeds = Array(DifferentialRun.seeds(0..<10, ProcessInfo.processInfo.environment))

    /// A store of random models with everything that a data store puts around it.
    private struct Run {
        let entities: [EntitySchema]
        let engine: StorageEngine
        let publisher = ChangePublisher()
        let subscription: ChangeSubscription
        var reference: ReferenceRecords
        /// The records as an observer knows them.
        var observed: ReferenceRecords.Records = [:]

        init(_ adapter: EngineAdapter, using random: inout SplitMix64) async throws {
            let graph = ModelGraph(using: &random)
            let catalog = try ModelCatalog(schemas: graph.schemas)
            entities = catalog.entities
            let options = DataStoreOptions(surroundings: .system(now: { 0 }))
            let store = try await Store.open(adapter.make(), models: entities, options: options)
            engine = StorageEngine(store: store, catalog: catalog, publisher: publisher, options: options)
            subscription = publisher.subscribe(to: Set(entities.map(\.name)))
            reference = ReferenceRecords(graph, entities)
        }

        func randomWrite(using random: inout SplitMix64) -> ReferenceRecords.Write {
            let entity = random.pick(entities)
            let rows = (0..<random.number(in: 1...4)).map { _ in ModelGraph.row(of: entity, using: &random) }
            return random.chance(70) ? .save(entity, rows) : .delete(entity, rows.map { entity.key(of: $0) })
        }

        /// Applies writes to the store.
        func apply(_ writes: [ReferenceRecords.Write], inTransaction: Bool) async throws {
            if !inTransaction, case .save(let entity, let rows) = writes[0] {
                _ = try await engine.save(RowBuffer(all: rows, of: entity), of: entity)
                return
            }
            _ = try await engine.commit { _ in
                try await engine.store.withSnapshot { snapshot in
                    let transaction = RecordTransaction(engine: engine, snapshot: snapshot)
                    for write in writes {
                        switch write {
                        case .save(let entity, let rows):
                            try await transaction.save(RowBuffer(all: rows, of: entity), of: entity)
                        case .delete(let entity, let keys): try await transaction.delete(keys, of: entity)
                        }
                    }
                    return try await transaction.draft()
                }
            }
        }

        /// Takes in what was published since the last call.
        mutating func observe() async throws {
            // A change that is always there, so that taking never waits.
            let marker = ChangeSet(
                sequence: .max, entity: entities[0], kinds: [], rows: RowBuffer(columnCount: entities[0].fields.count))
            _ = subscription.append([marker])
            for changes in try await subscription.next() ?? [] {
                for (row, kind) in changes.kinds.enumerated() {
                    let key = changes.entity.key(of: changes.rows[row])
                    let known = observed[changes.entity.name]?[key] != nil
                    #expect(known == (kind != .created))
                    observed[changes.entity.name, default: [:]][key] =
                        kind == .deleted ? nil : Array(changes.rows[row])
                }
            }
        }

        /// The records with everything taken back that awaits the service.
        func undone(
            _ records: ReferenceRecords.Records, _ outbox: [OutboxEntry]
        ) -> ReferenceRecords.Records {
            var records = records
            for entity in entities {
                for entry in outbox.reversed() where entry.model == entity.name {
                    guard let key = RecordKey(outboxText: entry.key, of: entity) else { continue }
                    let row = records[entity.name]?[key]
                    records[entity.name, default: [:]][key] = entry.undone(row, of: entity) ?? [.text("unknown")]
                }
            }
            return records.filter { !$0.value.isEmpty }
        }

        /// One entry for each record, without what the reference does not know.
        ///
        /// A deletion that goes with another one does not fold into an update.
        func folded(_ outbox: [OutboxEntry]) -> Set<OutboxEntry> {
            var folded: [String: OutboxEntry] = [:]
            for var entry in outbox {
                let name = "\(entry.model)/\(entry.key)"
                let fields = entities.first { $0.name == entry.model }?.fields.map(\.name) ?? []
                (entry.position, entry.before, entry.baseVersion) = (0, nil, nil)
                (entry.cascade, entry.deletedAt, entry.isNewest) = (nil, nil, true)
                if let earlier = folded[name] {
                    folded[name] = earlier.folding(entry, allFields: fields)
                } else {
                    folded[name] = entry
                }
            }
            return Set(folded.values)
        }

        func stored() async throws -> (records: ReferenceRecords.Records, outbox: [OutboxEntry]) {
            try await engine.store.withSnapshot { snapshot in
                var records: ReferenceRecords.Records = [:]
                for entity in entities {
                    let rows = try await snapshot.rows(QueryPlan(entity.name)) as RowBuffer
                    for row in 0..<rows.rowCount {
                        records[entity.name, default: [:]][entity.key(of: rows[row])] = Array(rows[row])
                    }
                }
                let rows =
                    try await snapshot.rows(
                        QueryPlan(OutboxEntry.entity.name, sort: [SortKey("position")])) as RowBuffer
                return (records, (0..<rows.rowCount).compactMap { OutboxEntry(rows[$0]) })
            }
        }
    }

    @Test(arguments: EngineAdapter.all, seeds)
    func storeAndObserversAgreeWithTheReference(adapter: EngineAdapter, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var run = try await Run(adapter, using: &random)
        for step in 0..<60 {
            if random.chance(5) {
                try await run.engine.store.sendOutbox()
                run.reference.send()
            }
            let inTransaction = random.chance(40)
            let writes = (0..<(inTransaction ? random.number(in: 1...4) : 1)).map { _ in
                run.randomWrite(using: &random)
            }
            let isBroken: Bool
            do {
                try run.reference.apply(writes)
                isBroken = false
            } catch {
                isBroken = true
            }
            let refusal = await refusal { try await run.apply(writes, inTransaction: inTransaction) }
            let comment: Comment = "HOLDFAST_SEED=\(seed), step \(step)"
            try #require(refusal == (isBroken ? .brokenRelation : nil), comment)
            let (records, outbox) = try await run.stored()
            try #require(records == run.reference.records.filter { !$0.value.isEmpty }, comment)
            try #require(run.undone(records, outbox) == run.reference.sent.filter { !$0.value.isEmpty }, comment)
            let expected = Set(run.reference.outbox.values)
            try #require(run.folded(outbox) == expected, comment)
            try #require(Set(outbox.map(\.position)).count == outbox.count, comment)
            try await run.observe()
            try #require(run.observed.filter { !$0.value.isEmpty } == records, comment)
        }
        try await run.engine.store.close()
    }
}

extension RowBuffer {
    /// A buffer of rows of an entity.
    init(all rows: [[Value]], of entity: EntitySchema) {
        self.init(columnCount: entity.fields.count, rowCapacity: rows.count)
        for row in rows { append(row) }
    }
}
