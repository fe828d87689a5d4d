import HoldfastStorage

/// Makes a case from a seed.
///
/// Runs the reference beside, so that keys and versions mostly name something that exists.
struct CaseGenerator {
    private var random: SplitMix64
    private let configuration: DifferentialConfiguration
    private var history: ReferenceHistory
    private var openSnapshots: [Int] = []
    private var nextSnapshot = 1

    static func makeCase(
        seed: UInt64, configuration: DifferentialConfiguration
    ) throws(StorageError) -> DifferentialCase {
        var random = SplitMix64(seed: seed)
        let entities = SchemaGenerator.entities(configuration, using: &random)
        let schema = try StorageSchema(entities: entities)
        var generator = CaseGenerator(
            random: random, configuration: configuration, history: ReferenceHistory(schema: schema))
        let steps = (0..<configuration.stepCount).map { generator.step(number: $0) }
        return DifferentialCase(entities: entities, steps: steps)
    }

    private init(
        random: SplitMix64, configuration: DifferentialConfiguration, history: ReferenceHistory
    ) {
        self.random = random
        self.configuration = configuration
        self.history = history
    }

    private var schema: StorageSchema { history.schema }
    private var reference: ReferenceStore { history.reference }

    private mutating func step(number: Int) -> DifferentialStep {
        if number < 3 { return fill() }
        switch random.below(configuration.widensSchema ? 108 : 100) {
        case ..<35: return commit()
        case ..<62: return .query(plans().query(using: &random), batch: random.pick([1, 2, 3, 100]), from: snapshot())
        case ..<70: return .readPages(plans().scan(using: &random), page: random.number(in: 1...4), from: snapshot())
        case ..<80: return .aggregate(plans().aggregate(using: &random), from: snapshot())
        case ..<90:
            let entity = random.pick(schema.entities)
            return .get(entity.name, (0..<random.below(4)).map { _ in key(of: entity) }, from: snapshot())
        case ..<95:
            openSnapshots.append(nextSnapshot)
            nextSnapshot += 1
            return .open(nextSnapshot - 1)
        case ..<97:
            guard !openSnapshots.isEmpty else { return commit() }
            return .close(openSnapshots.remove(at: random.below(openSnapshots.count)))
        default:
            guard configuration.reopen != nil else { return commit() }
            openSnapshots = []
            guard configuration.widensSchema, random.chance(80) else { return .reopen }
            let widening = SchemaGenerator.widening(of: schema, using: &random)
            guard (try? history.widen(widening)) != nil else { return .reopen }
            return .widen(widening)
        }
    }

    private mutating func plans() -> PlanGenerator {
        let entity = random.pick(schema.entities)
        return PlanGenerator(entity: entity, rows: reference.allRecords(of: entity.name).prefix(40).map(\.row))
    }

    private mutating func snapshot() -> Int? {
        openSnapshots.isEmpty || random.chance(60) ? nil : random.pick(openSnapshots)
    }

    // MARK: Commits

    /// Upserts of a few rows, so that later steps find something.
    private mutating func fill() -> DifferentialStep {
        let operations = schema.entities.map { entity in
            var rows = RowBuffer(columnCount: entity.fields.count)
            for _ in 0..<random.number(in: 2...8) { rows.append(row(of: entity)) }
            return WriteOperation.put(entity: entity.name, rows: rows, mode: .upsert)
        }
        let request = CommitRequest(operations: operations)
        _ = try? history.commit(request)
        return .commit(request)
    }

    private mutating func commit() -> DifferentialStep {
        var request = CommitRequest()
        if random.chance(35) {
            request.preconditions = (0..<random.number(in: 1...2)).map { _ in precondition() }
        }
        let count = random.pick([0, 1, 1, 1, 1, 2, 2, 3])
        request.operations = (0..<count).map { _ in operation() }
        _ = try? history.commit(request)
        return .commit(request)
    }

    private mutating func operation() -> WriteOperation {
        let entity = random.pick(schema.entities)
        switch random.below(100) {
        case ..<72:
            let mode = random.pick([WriteOperation.PutMode.upsert, .upsert, .upsert, .insert, .update])
            return .put(entity: entity.name, rows: rows(of: entity, mode), mode: mode)
        case ..<97:
            return .delete(entity: entity.name, keys: (0..<random.below(4)).map { _ in key(of: entity) })
        case ..<99: return .delete(entity: entity.name, keys: [])
        default: return .clear(entity: entity.name)
        }
    }

    private mutating func rows(of entity: EntitySchema, _ mode: WriteOperation.PutMode) -> RowBuffer {
        var rows = RowBuffer(columnCount: entity.fields.count)
        if mode == .upsert && random.chance(7) {
            let first = random.below(50)
            for number in first..<first + random.number(in: 45...75) {
                var row = row(of: entity)
                for position in entity.primaryKeyPositions {
                    row[position] = ValuePool.numbered(number, of: entity.fields[position].type)
                }
                rows.append(row)
            }
            return rows
        }
        for _ in 0..<random.pick([0, 1, 1, 2, 3, 5, 8]) {
            var row = row(of: entity)
            if random.chance(mode == .update ? 80 : mode == .upsert ? 30 : 5) {
                for (position, value) in zip(entity.primaryKeyPositions, key(of: entity).components) {
                    row[position] = value
                }
            }
            rows.append(row)
        }
        return rows
    }

    private mutating func row(of entity: EntitySchema) -> [Value] {
        entity.fields.map { field in
            let isIndexed =
                entity.primaryKey.contains(field.name) || entity.indexes.contains { $0.fields.contains(field.name) }
            if case .string = field.type, !isIndexed, random.chance(3) {
                return .text(random.pick(ValuePool.longTexts))
            }
            return ValuePool.value(of: field.type, isRequired: field.isRequired, using: &random)
        }
    }

    private mutating func key(of entity: EntitySchema) -> RecordKey {
        let records = reference.allRecords(of: entity.name)
        return entity.key(of: records.isEmpty || random.chance(25) ? row(of: entity) : random.pick(records).row)
    }

    private mutating func precondition() -> Precondition {
        let entity = random.pick(schema.entities)
        let key = key(of: entity)
        let version = reference.record(entity.name, key)?.version
        switch random.below(10) {
        case 0, 1, 2, 3:
            let isPresent = random.chance(80) == (version != nil)
            return isPresent ? .present(entity: entity.name, key: key) : .absent(entity: entity.name, key: key)
        case 4, 5, 6:
            let shift: UInt64 = random.chance(75) ? 0 : 1
            return .version(entity: entity.name, key: key, (version ?? 0) + shift)
        default:
            let since = random.chance(60) ? reference.sequence : UInt64(random.below(Int(reference.sequence) + 1))
            return .unchanged(KeyRange(entity.name, from: bound(of: entity), to: bound(of: entity)), since: since)
        }
    }

    private mutating func bound(of entity: EntitySchema) -> KeyRange.Bound {
        let prefix = Array(key(of: entity).components.prefix(random.number(in: 1...entity.primaryKey.count)))
        return random.pick([.unbounded, .included(prefix), .excluded(prefix)])
    }
}
