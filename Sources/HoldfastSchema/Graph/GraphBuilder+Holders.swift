import HoldfastGraphQL

// Types that hold models, such as the page that a query of the author's returns.
extension GraphBuilder {
    /// Leaves out the types that hold models, and those that hold such types; reports what a model would have to store.
    mutating func leaveOutHolders() {
        guard !holders.isEmpty else { return }
        var wholes: [String: [String]] = [:]
        for type in graph.embedded {
            for part in type.fields.compactMap(\.value?.embeddedType) { wholes[part, default: []].append(type.name) }
        }
        let stored = storedTypes
        for type in graph.embedded where stored.contains(type.name) {
            for field in holders[type.name] ?? [] {
                problems.add(
                    "\"\(type.name).\(field.name)\" holds the model \"\(field.type.name)\","
                        + " but \"\(type.name)\" is not a model",
                    at: field.name.location, "Hold its key instead, or add \"@model\" to \"\(type.name)\".")
            }
        }
        let leftOut = reached(from: Array(holders.keys), by: wholes)
        graph.embedded.removeAll { leftOut.contains($0.name) }
    }

    /// The names of the types whose values models store, also inside others.
    var storedTypes: Set<String> {
        let parts = Dictionary(
            graph.embedded.map { ($0.name, $0.fields.compactMap(\.value?.embeddedType)) },
            uniquingKeysWith: { first, _ in first })
        return reached(from: graph.models.flatMap(\.fields).compactMap(\.value?.embeddedType), by: parts)
    }

    private func reached(from names: [String], by edges: [String: [String]]) -> Set<String> {
        var reached: Set<String> = []
        var open = names
        while let name = open.popLast() {
            if reached.insert(name).inserted { open += edges[name] ?? [] }
        }
        return reached
    }
}
