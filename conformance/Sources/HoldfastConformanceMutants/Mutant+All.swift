public import HoldfastConformance

extension Mutant {
    /// Every mutant of the suite, in the order of the families whose clauses must find them.
    public static let all: [Mutant] = [
        text,
        names,
        numbers,
        predicates,
        lists,
        temporal,
        order,
        versions,
        aggregates,
        mapping,
        writes,
        preconditions,
        isolation,
        cancellation,
        errors,
        limits,
        lifecycle,
        schema,
        feed,
        crash,
        power,
        processes,
        resources,
        histories,
        engine,
        sporadic,
    ].flatMap { $0 }
}
