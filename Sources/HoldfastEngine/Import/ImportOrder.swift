import HoldfastStorage

/// Models that are imported together, because none of them can come before the others.
struct ImportGroup: Sendable, Hashable {
    let entities: [EntitySchema]
    /// Whether a record may lead to one that comes later.
    let isCyclic: Bool

    /// The models in an order in which those come first to which others lead.
    static func ordered(_ catalog: ModelCatalog) -> [ImportGroup] {
        var remaining = catalog.entities
        var groups: [ImportGroup] = []
        while !remaining.isEmpty {
            let open = Set(remaining.map(\.name))
            let ready = remaining.filter { entity in
                catalog.owningKeys(of: entity).allSatisfy {
                    $0.parent.name == entity.name || !open.contains($0.parent.name)
                }
            }
            if ready.isEmpty { return groups + [ImportGroup(entities: remaining, isCyclic: true)] }
            groups += ready.map { entity in
                let leadsToItself = catalog.owningKeys(of: entity).contains { $0.parent.name == entity.name }
                return ImportGroup(entities: [entity], isCyclic: leadsToItself)
            }
            let names = Set(ready.map(\.name))
            remaining.removeAll { names.contains($0.name) }
        }
        return groups
    }
}
