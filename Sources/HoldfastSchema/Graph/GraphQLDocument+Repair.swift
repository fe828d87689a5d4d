import HoldfastGraphQL

extension GraphQLDocument {
    /// The document without the fields and directives that break rules of the language.
    ///
    /// So that the problems of one field do not hide those of all others.
    func withoutProblems(_ configuration: GraphQLSchema.Configuration) -> GraphQLDocument {
        var document = self
        // Taking one thing out can leave another without meaning, so this is done more than once.
        for _ in 0..<3 {
            let found = GraphQLSchema.problems(in: document, configuration: configuration)
            if found.isEmpty { break }
            let locations = Set(found.flatMap { $0.locations.prefix(1) })
            document.definitions = document.definitions.compactMap { definition in
                guard case .type(var type) = definition else { return definition }
                if locations.contains(type.name.location) { return nil }
                type.directives = type.directives.filter { !$0.touches(locations) }
                guard case .object(let interfaces, let fields) = type.body else { return .type(type) }
                let kept = fields.compactMap { field -> FieldDefinition? in
                    if locations.contains(field.name.location) || locations.contains(field.type.name.location) {
                        return nil
                    }
                    var field = field
                    field.directives = field.directives.filter { !$0.touches(locations) }
                    return field
                }
                type.body = .object(interfaces: interfaces, fields: kept)
                return .type(type)
            }
        }
        return document
    }
}

extension Directive {
    fileprivate func touches(_ locations: Set<Location>) -> Bool {
        if locations.contains(location) || locations.contains(name.location) { return true }
        return arguments.contains { locations.contains($0.name.location) || $0.value.touches(locations) }
    }

    /// The strings of an argument; a single one stands for a list of one.
    func strings(_ argument: String) -> [(text: String, location: Location)]? {
        guard let value = self.argument(argument) else { return nil }
        switch value.content {
        case .list(let values): return values.compactMap { value in value.string.map { ($0, value.location) } }
        case .string(let text): return [(text, value.location)]
        default: return nil
        }
    }

    /// The text of an argument.
    func string(_ argument: String) -> String? { self.argument(argument)?.string }
}

extension GraphQLValue {
    fileprivate func touches(_ locations: Set<Location>) -> Bool {
        if locations.contains(location) { return true }
        return switch content {
        case .list(let values): values.contains { $0.touches(locations) }
        case .object(let fields):
            fields.contains { locations.contains($0.name.location) || $0.value.touches(locations) }
        default: false
        }
    }

    /// The text of a string or a bare name.
    var string: String? {
        switch content {
        case .string(let text), .enumeration(let text): text
        default: nil
        }
    }
}
