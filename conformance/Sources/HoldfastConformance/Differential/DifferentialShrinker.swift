import HoldfastStorage

/// Makes a failing case smaller while it still fails, within a number of tries.
struct DifferentialShrinker {
    /// What a case gives: `nil` if it passes or cannot be run.
    let run: (DifferentialCase) async -> DifferentialMismatch?
    private(set) var tries = 0
    let maximumTries: Int
    private(set) var best: DifferentialCase
    private(set) var mismatch: DifferentialMismatch

    init(
        _ failing: DifferentialCase, _ mismatch: DifferentialMismatch, maximumTries: Int,
        run: @escaping (DifferentialCase) async -> DifferentialMismatch?
    ) {
        self.run = run
        self.maximumTries = maximumTries
        best = failing
        self.mismatch = mismatch
    }

    mutating func shrink() async {
        var hasChanged = true
        while hasChanged && tries < maximumTries {
            hasChanged = await dropSteps()
            hasChanged = await dropSchemaParts() || hasChanged
            hasChanged = await simplifySteps() || hasChanged
        }
    }

    /// Adopts a candidate if it still fails.
    private mutating func attempt(_ candidate: DifferentialCase) async -> Bool {
        guard tries < maximumTries else { return false }
        tries += 1
        guard let failure = await run(candidate) else { return false }
        best = candidate
        mismatch = failure
        best.steps.removeLast(max(0, best.steps.count - failure.step - 1))
        return true
    }

    /// Leaves out runs of steps, long ones first.
    private mutating func dropSteps() async -> Bool {
        var hasChanged = false
        best.steps.removeLast(max(0, best.steps.count - mismatch.step - 1))
        var length = max(1, best.steps.count / 2)
        while length >= 1 {
            var start = best.steps.count - length
            while start >= 0 {
                var candidate = best
                guard start + length <= candidate.steps.count else {
                    start -= 1
                    continue
                }
                candidate.steps.removeSubrange(start..<start + length)
                if await attempt(candidate) { hasChanged = true }
                start -= length
            }
            length /= 2
        }
        return hasChanged
    }

    /// Replaces steps by simpler ones until none of their simplifications still fails.
    private mutating func simplifySteps() async -> Bool {
        var hasChanged = false
        var index = best.steps.count - 1
        while index >= 0 {
            guard index < best.steps.count else {
                index -= 1
                continue
            }
            var wasSimplified = false
            for step in StepSimplifier.simplifications(of: best.steps[index], entities: best.entities) {
                var candidate = best
                candidate.steps[index] = step
                if await attempt(candidate) {
                    wasSimplified = true
                    break
                }
                if tries >= maximumTries { return hasChanged }
            }
            hasChanged = hasChanged || wasSimplified
            if !wasSimplified { index -= 1 }
        }
        return hasChanged
    }

    private mutating func dropSchemaParts() async -> Bool {
        var hasChanged = false
        for name in best.entities.map(\.name) {
            if best.entities.count > 1 {
                var candidate = best
                candidate.entities.removeAll { $0.name == name }
                candidate.steps = candidate.steps.compactMap { StepSimplifier.without(entity: name, $0) }
                if await attempt(candidate) {
                    hasChanged = true
                    continue
                }
            }
            guard let position = best.entities.firstIndex(where: { $0.name == name }) else { continue }
            for index in best.entities[position].indexes {
                var candidate = best
                candidate.entities[position] = best.entities[position].without(index: index.name)
                if await attempt(candidate) { hasChanged = true }
            }
            for field in best.entities[position].fields {
                guard let candidate = best.without(field: field.name, ofEntityAt: position) else { continue }
                if await attempt(candidate) { hasChanged = true }
            }
        }
        return hasChanged
    }
}

extension DifferentialCase {
    /// The case without a field that is not part of a key or index, or `nil`.
    fileprivate func without(field: String, ofEntityAt position: Int) -> DifferentialCase? {
        let entity = entities[position]
        guard !entity.primaryKey.contains(field), let column = entity.position(of: field),
            !entity.indexes.contains(where: { $0.fields.contains(field) })
        else { return nil }
        var result = self
        result.entities[position] = EntitySchema(
            entity.name, fields: entity.fields.filter { $0.name != field }, primaryKey: entity.primaryKey,
            indexes: entity.indexes)
        result.steps = steps.map { StepSimplifier.without(column: column, named: field, of: entity.name, $0) }
        return result
    }
}

extension EntitySchema {
    fileprivate func without(index: String) -> EntitySchema {
        EntitySchema(name, fields: fields, primaryKey: primaryKey, indexes: indexes.filter { $0.name != index })
    }
}
