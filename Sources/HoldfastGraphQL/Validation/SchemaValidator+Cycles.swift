// The rules against definitions that need themselves.
extension SchemaValidator {
    /// Input objects whose required fields lead back to them can have no value.
    mutating func checkInputObjectCycles() {
        let types = schema.types.filter { $0.kind == .inputObject }
        let indices = Dictionary(zip(types.map(\.name), types.indices)) { first, _ in first }
        let needed = { (field: InputValueDefinition) -> Int? in
            field.type.isNonNull && !field.type.isList ? indices[field.type.name.text] : nil
        }
        let graph = Graph(edges: types.map { $0.inputFields.compactMap(needed) })
        for cycle in graph.cycles() {
            let names = (cycle + [cycle[0]]).map { types[$0].name }
            let target = cycle.count > 1 ? cycle[1] : cycle[0]
            let field = types[cycle[0]].inputFields.first { needed($0) == target }
            rules.problems.add(
                .inputObjectCycles, at: field?.name.location ?? types[cycle[0]].definition.name.location,
                message: "the input object \"\(names[0])\" needs itself: \(names.joined(separator: " → "))",
                hint: "Make one of the fields nullable or a list.")
        }
    }

    /// Default values that contain, by further default values, themselves have no end.
    mutating func checkDefaultValueCycles() {
        var fields: [(type: SchemaType, field: InputValueDefinition)] = []
        var indices: [String: [String: Int]] = [:]
        for type in schema.types where type.kind == .inputObject {
            for field in type.inputFields where field.defaultValue != nil {
                indices[type.name, default: [:]][field.name.text] = fields.count
                fields.append((type, field))
            }
        }
        let edges = fields.map { entry in
            var found: [Int] = []
            if let value = entry.field.defaultValue {
                collectDefaults(of: value, entry.field.type, indices, into: &found)
            }
            return Array(Set(found)).sorted()
        }
        for cycle in Graph(edges: edges).cycles() {
            let path = (cycle + [cycle[0]]).map { "\(fields[$0].type.name).\(fields[$0].field.name)" }
            rules.problems.add(
                .inputObjectCycles, at: fields[cycle[0]].field.defaultValue?.location ?? .none,
                message: "the default value of \"\(path[0])\" contains itself: \(path.joined(separator: " → "))",
                hint: "Give the inner field a value, such as null.")
        }
    }

    /// The input fields whose default values become part of a value.
    private func collectDefaults(
        of value: GraphQLValue, _ type: TypeReference, _ indices: [String: [String: Int]], into found: inout [Int]
    ) {
        switch value.content {
        case .list(let values):
            guard let element = type.element else { return }
            for value in values { collectDefaults(of: value, element, indices, into: &found) }
        case .object(let given):
            guard let target = schema.type(type.name.text), target.kind == .inputObject else { return }
            let names = Set(given.map(\.name.text))
            for (name, index) in indices[target.name] ?? [:] where !names.contains(name) { found.append(index) }
            for entry in given {
                guard let field = target.inputField(entry.name.text) else { continue }
                collectDefaults(of: entry.value, field.type, indices, into: &found)
            }
        default: return
        }
    }

    /// Directives that are applied, perhaps by way of types, within their own definition.
    mutating func checkDirectiveCycles() {
        let directives = schema.directives
        let types = schema.types.filter { $0.kind.isInput }
        let directiveIndices = Dictionary(zip(directives.map(\.name.text), directives.indices)) { first, _ in first }
        let typeIndices = Dictionary(zip(types.map(\.name), types.indices)) { first, _ in first }
        let targets = { (values: [InputValueDefinition]) -> [Int] in
            values.flatMap { value in
                value.directives.compactMap { directiveIndices[$0.name.text] }
                    + (typeIndices[value.type.name.text].map { [directives.count + $0] } ?? [])
            }
        }
        var edges = directives.map { targets($0.arguments) }
        for type in types {
            let applied = type.definition.directives + type.definition.values.flatMap(\.directives)
            edges.append(applied.compactMap { directiveIndices[$0.name.text] } + targets(type.inputFields))
        }
        for cycle in Graph(edges: edges).cycles() {
            guard cycle[0] < directives.count else { continue }
            let names = (cycle + [cycle[0]]).map { index in
                index < directives.count ? "@\(directives[index].name)" : types[index - directives.count].name
            }
            rules.problems.add(
                .directiveCycles, at: directives[cycle[0]].name.location,
                message: "the directive \"\(names[0])\" is part of its own definition:"
                    + " \(names.joined(separator: " → "))",
                hint: "Remove the directive from one of the definitions.")
        }
    }
}
