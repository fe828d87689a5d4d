import HoldfastGraphQL

// What names must be beyond those of a service, so that generated code compiles.
extension GraphBuilder {
    /// Reports names that Swift does not allow, types with one name in Swift, and fields that hide a type.
    mutating func checkSwiftNames() {
        checkEnumValues()
        checkTypeNames()
        for model in graph.models {
            let makesIdentifiers = model.fields.contains { $0.name == "id" && $0.value == .string && !$0.isList }
            checkFields(model.fields, of: model.name, using: makesIdentifiers ? ["Path", "UUID"] : ["Path"])
            checkKey(of: model)
        }
        for type in graph.embedded { checkFields(type.fields, of: type.name, using: []) }
    }

    private mutating func checkEnumValues() {
        for type in own where type.kind == .enum {
            for value in type.definition.values {
                guard let problem = SwiftNames.problem(ofCase: value.name.text) else { continue }
                problems.add(problem.message, at: value.name.location, problem.hint)
            }
        }
    }

    private mutating func checkTypeNames() {
        let structs = Set(graph.models.map(\.name) + graph.embedded.map(\.name))
        var types = own.filter { $0.kind == .enum || structs.contains($0.name) }.map { type in
            let name = type.kind == .enum ? SwiftNames.enumType(type.name) : type.name
            return (name: name, written: type.name, location: type.definition.name.location)
        }
        for join in graph.models where definitions[join.name] == nil {
            types.append((name: join.name, written: join.name, location: join.location))
        }
        var known: [String: String] = [:]
        for type in types {
            if let problem = SwiftNames.problem(ofType: type.name) {
                problems.add(problem.message, at: type.location, problem.hint)
            }
            guard let other = known[type.name] else {
                known[type.name] = type.written
                continue
            }
            problems.add(
                "\"\(type.written)\" and \"\(other)\" have one name in Swift: \(type.name)", at: type.location,
                "Rename one of them.")
        }
        for type in types {
            guard let other = structs.first(where: { $0 != type.name && Names.lowerFirst($0) == type.name }) else {
                continue
            }
            problems.add(
                "\"\(type.name)\" has the name of the constant that the code of \"\(other)\" uses for its keys",
                at: type.location, "Rename the type.")
        }
    }

    /// Reports fields that Swift cannot have, and those that hide a type.
    ///
    /// The code of a type names the types of its fields, and itself; where a field has such a name, it means the field.
    private mutating func checkFields(_ fields: [ModelTypeField], of type: String, using others: [String]) {
        let types = Set(fields.flatMap(\.typesInUse) + others + [type, "CodingKeys"])
        let references = fields.filter { $0.relation.map { $0.kind != .hasMany } ?? false }
        for field in fields {
            if let reference = references.first(where: { "_" + $0.name == field.name }) {
                problems.add(
                    "\"\(type).\(field.name)\" has the name of the property that holds \"\(type).\(reference.name)\"",
                    at: field.location, "Rename the field.")
            }
            if let problem = SwiftNames.problem(ofField: field.name) {
                problems.add(problem.message, at: field.location, problem.hint)
            }
            guard types.contains(field.name) else { continue }
            problems.add(
                "\"\(type).\(field.name)\" has the name of a type, which its code would take for the field",
                at: field.location, "Rename the field or the type.")
        }
    }

    private mutating func checkKey(of model: ModelType) {
        for field in model.primaryKey.compactMap(model.field) {
            guard let problem = field.namedType.flatMap(SwiftNames.problem(ofTypeInKey:)) else { continue }
            problems.add(problem.message, at: field.location, problem.hint)
        }
    }
}

extension ModelTypeField {
    /// The types that the code of the field names.
    fileprivate var typesInUse: [String] {
        switch content {
        case .relation(let relation): [relation.model, relation.kind == .hasMany ? "List" : "LazyReference"]
        case .value(.string): ["String"]
        case .value(.int): ["Int"]
        case .value(.double): ["Double"]
        case .value(.bool): ["Bool"]
        case .value(.date), .value(.dateTime), .value(.time): ["Temporal"]
        case .value(.enumeration), .value(.embedded): [namedType].compactMap(\.self)
        }
    }
}
