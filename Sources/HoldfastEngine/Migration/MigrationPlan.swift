import HoldfastModel
import HoldfastStorage

/// Makes the migration of one stored schema that a policy allows.
struct MigrationPlan: Sendable {
    let policy: SchemaPolicy
    /// What the store should hold.
    let schema: StorageSchema
    var progress: (@Sendable (SchemaMigration.Progress) -> Void)?
    /// What a transform threw, since the storage below knows its own errors only.
    let failure = MigrationFailure()
    /// The unsent changes that the migration gives up.
    let lost = LostChanges()

    /// The migration, or `nil` if the policy refuses one.
    ///
    /// - Throws: ``StorageError`` `.schemaMismatch` with the differences that no step covers.
    func migration(from stored: StorageSchema) throws(StorageError) -> SchemaMigration? {
        // What an attempt gave up that failed is still there.
        lost.reset()
        switch policy.kind {
        case .refuse: return nil
        case .rebuild(let keepsOutbox):
            if keepsOutbox { try keepOutbox(stored) }
            return rebuild(stored)
        case .migrate(let steps, let rebuildsRest): return try migrate(stored, steps, rebuildsRest)
        }
    }

    // MARK: - Rebuilding

    private func rebuild(_ stored: StorageSchema) -> SchemaMigration {
        let differences = SchemaChange(from: stored, to: schema).differences.filter { !$0.isAdditive }
        let changed = Set(differences.map(\.entity))
        let fates = Dictionary(
            uniqueKeysWithValues: changed.filter { !SystemEntities.contains($0) }.map {
                ($0, ModelMigrationResult.gone)
            })
        let steps = schema.entities.filter { changed.contains($0.name) }.map { emptying($0, in: stored) }
        return SchemaMigration(
            steps: steps + SystemMigration(fates: fates, lost: lost).steps(from: stored, to: schema),
            removedEntities: removed(from: stored), progress: progress)
    }

    /// Refuses to remove the outbox, whose changes would be lost without a report.
    private func keepOutbox(_ stored: StorageSchema) throws(StorageError) {
        let outbox = OutboxEntry.entity.name
        guard removed(from: stored).contains(outbox) else { return }
        throw SchemaChange.mismatch([.entityRemoved(outbox)])
    }

    /// A step that leaves an entity without records, and counts the unsent changes among them.
    private func emptying(_ target: EntitySchema, in stored: StorageSchema) -> SchemaMigration.Step {
        guard target.name == OutboxEntry.entity.name,
            let source = stored.entities.first(where: { $0.name == target.name }),
            let model = source.position(of: "model")
        else { return SchemaMigration.Step(from: nil, to: target) { _ in nil } }
        return SchemaMigration.Step(from: source, to: target) { [lost] row in
            if case .text(let name) = row[model] { lost.note(name) }
            return nil
        }
    }

    private func removed(from stored: StorageSchema) -> Set<String> {
        Set(stored.entities.map(\.name)).subtracting(schema.entities.map(\.name))
    }

    // MARK: - Migrating

    private func migrate(
        _ stored: StorageSchema, _ steps: [ModelMigration], _ rebuildsRest: Bool
    ) throws(StorageError) -> SchemaMigration {
        let targets = Dictionary(uniqueKeysWithValues: schema.entities.map { ($0.name, $0) })
        let routes = ModelRenamings(stored, steps: steps, to: targets)
        try checkNames(steps)
        var fates = Dictionary(uniqueKeysWithValues: routes.removed.map { ($0, ModelMigrationResult.gone) })
        var open: [SchemaChange.Difference] = []
        var result: [SchemaMigration.Step] = []
        for target in schema.entities {
            guard let route = routes[target.name] else { continue }
            let differences = SchemaChange.differences(from: route.renamed, to: target)
            if differences.isEmpty && !route.isChanged { continue }
            let values = ValueSteps(steps, for: target)
            open += differences.filter { !values.covers($0) }
            let isOnlyIndexes = differences.allSatisfy(\.isOfIndex) && !route.isChanged
            let isInPlace = values.isEmpty && differences.allSatisfy(\.isAdditive) && !route.isChanged
            if isOnlyIndexes || isInPlace { continue }
            let isOtherKey = differences.contains(.primaryKeyChanged(entity: target.name))
            let keys = values.hasTransform || isOtherKey ? KeyChanges(isOtherKey: isOtherKey) : nil
            let plain = step(route, to: target, values)
            fates[route.source.name] = .kept(
                KeptModel(
                    source: route.source, target: target, values: values, migrate: plain.migrate,
                    newNames: route.newNames, keys: keys))
            result.append(keys.map { plain.recording($0) } ?? plain)
        }
        open += routes.routes.filter { targets[$0.name] == nil }.map { .entityRemoved($0.source.name) }
        if !open.isEmpty && !rebuildsRest { throw SchemaChange.mismatch(open) }
        try keepOutbox(stored)
        for name in Set(open.map(\.entity)) {
            fates[routes[name]?.source.name ?? name] = .gone
            guard let target = targets[name] else { continue }
            result.removeAll { $0.target.name == name }
            result.append(emptying(target, in: stored))
        }
        return SchemaMigration(
            steps: result + SystemMigration(fates: fates, lost: lost).steps(from: stored, to: schema),
            removedEntities: removed(from: stored), progress: progress)
    }

    /// Finds steps for models that never were: spelling mistakes.
    private func checkNames(_ steps: [ModelMigration]) throws(StorageError) {
        for step in steps {
            guard let (model, field) = step.valueName else { continue }
            let isRenamed = steps.contains { if case .renameModel(model, _) = $0.kind { true } else { false } }
            let isRemoved = steps.contains { if case .removeModel(model) = $0.kind { true } else { false } }
            guard let target = schema.entities.first(where: { $0.name == model }) else {
                if isRenamed || isRemoved { continue }
                throw StorageError(
                    .schemaMismatch, "A migration step names '\(model)', but the store was opened without that model.")
            }
            if let field, target.field(named: field) == nil {
                throw StorageError(
                    .schemaMismatch, "A migration step names '\(model).\(field)', but the model has no such field.")
            }
        }
    }

    private func step(
        _ route: ModelRenaming, to target: EntitySchema, _ values: ValueSteps
    ) -> SchemaMigration.Step {
        let source = route.source
        let positions = target.fields.map { field in route.fields.first { $0.name == field.name }?.position }
        let failure = failure
        return SchemaMigration.Step(from: source, to: target) { row throws(StorageError) in
            let cells = positions.map { $0.map { row[$0] } ?? .null }
            return try values.apply(
                StoredRecord(row, from: source, to: target, cells: cells), of: target, reportingTo: failure)
        }
    }
}

/// The defaults and transforms of one model, in order.
struct ValueSteps: Sendable {
    private enum Action: Sendable {
        case fill(position: Int, Value)
        case transform(@Sendable (StoredRecord) throws -> StoredRecord?)
    }

    private var actions: [Action] = []
    private var filledFields: Set<String> = []
    private(set) var hasTransform = false

    /// Whether there are none.
    var isEmpty: Bool { actions.isEmpty }

    init(_ steps: [ModelMigration], for target: EntitySchema) {
        for step in steps {
            switch step.kind {
            case .setDefault(target.name, let field, let value):
                guard let position = target.position(of: field) else { continue }
                actions.append(.fill(position: position, value))
                if !value.isNull { filledFields.insert(field) }
            case .transform(target.name, let body):
                actions.append(.transform(body))
                hasTransform = true
            default: continue
            }
        }
    }

    /// Whether records may have other values in one of some fields.
    func change(_ fields: [String]) -> Bool { hasTransform || fields.contains(where: filledFields.contains) }

    /// Whether a difference of the model, apart from its renamings and removals, is not an obstacle.
    func covers(_ difference: SchemaChange.Difference) -> Bool {
        if difference.isAdditive { return true }
        return switch difference {
        case .fieldAdded(_, let field, _), .fieldBecameRequired(_, let field):
            hasTransform || filledFields.contains(field)
        case .fieldTypeChanged, .primaryKeyChanged: hasTransform
        case .fieldBecameOptional: true
        default: false
        }
    }

    /// The cells of the new record, or `nil` if it is given up.
    func apply(
        _ record: StoredRecord, of target: EntitySchema, reportingTo failure: MigrationFailure
    ) throws(StorageError) -> [Value]? {
        var record = record
        for action in actions {
            switch action {
            case .fill(let position, let value): record.fill(position, value)
            case .transform(let body):
                do {
                    guard let transformed = try body(record) else { return nil }
                    record = transformed
                } catch {
                    failure.report(error)
                    throw StorageError(
                        .schemaMismatch, "A transform of '\(target.name)' failed; the store was left as it was.",
                        transaction: .rolledBack)
                }
                if let field = record.unknownField {
                    throw StorageError(
                        .schemaMismatch, "A transform wrote '\(target.name).\(field)', but there is no such field.",
                        transaction: .rolledBack)
                }
            }
        }
        return record.cells
    }
}

/// Keeps the error of a transform: a migration itself can only throw a ``StorageError``.
final class MigrationFailure: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    func report(_ error: any Error) { self.error.withLock { $0 = error } }

    /// What was reported, if anything.
    var reported: (any Error)? { error.withLock { $0 } }
}

extension SchemaMigration.Step {
    /// The step, which also records the keys that it changes.
    fileprivate func recording(_ keys: KeyChanges) -> SchemaMigration.Step {
        SchemaMigration.Step(from: source, to: target) { row throws(StorageError) in
            let result = try migrate(row)
            if let source { keys.record(source.key(of: row), result.map { target.key(of: $0) }) }
            return result
        }
    }
}

extension SchemaChange.Difference {
    fileprivate var isOfIndex: Bool {
        switch self {
        case .indexAdded, .indexRemoved, .versionOrderAdded, .versionOrderRemoved: true
        default: false
        }
    }
}

extension ModelMigration {
    /// The model and the field that a step about values names by their present names.
    fileprivate var valueName: (model: String, field: String?)? {
        switch kind {
        case .setDefault(let model, let field, _): (model, field)
        case .transform(let model, _): (model, nil)
        default: nil
        }
    }
}
