import HoldfastGraphQL

// Types that hold models, such as the page that a query of the author's returns.
extension GraphBuilder {
    /// Leaves out the types that hold models, and those that hold such types; reports what a model would have to store.
    mutating func leaveOutHolders() {
        guard !holders.isEmpty else { return }
        var parts: [String: [String]] = [:]
        var wholes: [String: [String]] = [:]
        for type in graph.embedded {
            parts[type.name] = type.fields.compactMap(\.value?.embeddedType)
            for part in parts[type.name] ?? [] { wholes[part, default: []].append(type.name) }
        }
        let stored = reached(from: graph.models.flatMap(\.fields).compactMap(\.value?.embeddedType), by: parts)
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

    private func reached(from names: [String], by edges: [String: [String]]) -> Set<String> {
        var reached: Set<String> = []
        var open = names
        while let name = open.popLast() {
            if reached.insert(name).inserted { open += edges[name] ?? [] }
        }
        return reached
    }
}
