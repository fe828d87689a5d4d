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
            // What leads to the fewest others leads only to its own circle.
            let open = Set(remaining.map(\.name))
            let circles = remaining.map { circle(from: $0.name, catalog, within: open) }
            guard let circle = circles.min(by: { $0.count < $1.count }) else { break }
            let entities = remaining.filter { circle.contains($0.name) }
            let isCyclic = entities.contains { entity in
                catalog.owningKeys(of: entity).contains { circle.contains($0.parent.name) }
            }
            groups.append(ImportGroup(entities: entities, isCyclic: isCyclic))
            remaining.removeAll { circle.contains($0.name) }
        }
        return groups
    }

    /// A model and those of some others to which it leads, also by way of others.
    private static func circle(from name: String, _ catalog: ModelCatalog, within open: Set<String>) -> Set<String> {
        var found: Set<String> = [name]
        var waiting = [name]
        while let next = waiting.popLast(), let entity = catalog.model(named: next)?.entity {
            for key in catalog.owningKeys(of: entity) where open.contains(key.parent.name) {
                if found.insert(key.parent.name).inserted { waiting.append(key.parent.name) }
            }
        }
        return found
    }
}
