import HoldfastGraphQL

/// A field whose values no record can have in it.
struct UnstorableField {
    let location: Location
    let message: String
    let hint: String

    /// Looks at a field; `nil` if it can be stored, or has a type that does not exist, which has been reported already.
    init?(_ field: FieldDefinition, in type: SchemaType, of builder: GraphBuilder) {
        let name = "\"\(type.name).\(field.name)\""
        let other = field.type.name.text
        location = field.name.location
        if field.type.listDepth > 1 {
            message = "\(name) is a list of lists"
            hint = "Put the inner list into a type of its own."
        } else if builder.definitions[other] != nil {
            if builder.definitions[type.name] != nil { return nil }
            message = "\(name) holds the model \"\(other)\", but \"\(type.name)\" is not a model"
            hint = "Hold its key instead, or add \"@model\" to \"\(type.name)\"."
        } else if builder.kind(of: other) == nil, let kind = builder.schema?.type(other)?.kind {
            if kind == .scalar {
                message = "\(name) has the scalar \"\(other)\", which no Swift type stands for"
                hint = "Use String, or AWSJSON for anything else."
            } else {
                message = "\(name) has the type \"\(other)\", which cannot be stored"
                hint = "Use a scalar, an enum, an object or a model."
            }
        } else {
            return nil
        }
    }
}

// Types that hold what cannot be stored, such as the page of models that a query of the author's returns.
extension GraphBuilder {
    /// Leaves out these types, and those that hold such types; reports what a model would have to store.
    mutating func leaveOutHolders() {
        guard !holders.isEmpty else { return }
        var wholes: [String: [String]] = [:]
        for type in graph.embedded {
            for part in type.fields.compactMap(\.value?.embeddedType) { wholes[part, default: []].append(type.name) }
        }
        let stored = storedTypes
        for type in graph.embedded where stored.contains(type.name) {
            for field in holders[type.name] ?? [] { problems.add(field.message, at: field.location, field.hint) }
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
