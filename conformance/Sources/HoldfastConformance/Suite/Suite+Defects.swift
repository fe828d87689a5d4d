extension Suite {
    /// Every seeded defect of the adapter contract, family by family.
    public static let defects: [Defect] = [
        Defect.text,
        Defect.names,
        Defect.numbers,
        Defect.predicates,
        Defect.lists,
        Defect.temporal,
        Defect.order,
        Defect.aggregates,
        Defect.mapping,
        Defect.writes,
        Defect.preconditions,
        Defect.isolation,
        Defect.cancellation,
        Defect.errors,
        Defect.limits,
        Defect.lifecycle,
        Defect.schema,
        Defect.feed,
        Defect.crash,
        Defect.power,
        Defect.processes,
        Defect.resources,
        Defect.histories,
        Defect.sporadic,
    ].flatMap { $0 }
}
