import HoldfastGraphQL

// Relations of many to many.
extension GraphBuilder {
    /// Adds a model for each many-to-many relation and has-many relations to it at both sides.
    mutating func addJoinModels() {
        var order: [String] = []
        var sides: [String: [DeclaredRelation]] = [:]
        for model in graph.models {
            for declaration in declared(model.name) where declaration.kind == .manyToMany {
                guard let name = declaration.directive.string("relationName") else { continue }
                let join = Names.upperFirst(name)
                if sides[join] == nil { order.append(join) }
                sides[join, default: []].append(declaration)
            }
        }
        for name in order { addJoinModel(name, sides[name] ?? []) }
    }

    private mutating func addJoinModel(_ name: String, _ sides: [DeclaredRelation]) {
        guard sides.count == 2 else {
            let extra = sides[sides.count > 2 ? 2 : 0]
            problems.add(
                "the relation \"\(name)\" is used in \(sides.count) places, not in two", at: extra.location,
                sides.count == 1
                    ? "Add \"@manyToMany(relationName: \"\(name)\")\" to a field of \"\(extra.target)\"."
                    : "Give this relation another name.")
            return
        }
        let first = sides[0]
        let second = sides[1]
        guard first.target == second.model, second.target == first.model, first.model != second.model else {
            problems.add(
                "the two sides of the relation \"\(name)\" do not lead to each other", at: second.location,
                first.model == second.model
                    ? "A model cannot be related to itself in this way; write the model between them yourself."
                    : "\"\(second.name)\" must be a list of \"\(first.model)\".")
            return
        }
        guard schema?.type(name) == nil else {
            problems.add(
                "the relation \"\(name)\" needs a model of this name, but there is a type \"\(name)\"",
                at: first.location, "Give the relation another name.")
            return
        }
        var join = ModelType(name: name, description: nil, location: first.location)
        join.plural = Names.upperFirst(Plurals.plural(of: name))
        join.primaryKey = ["id"]
        join.fields = [
            ModelTypeField(name: "id", content: .value(.string), isRequired: true, scalar: GraphQLScalar.id.rawValue)
        ]
        for side in sides {
            guard let position = positions[side.model] else { return }
            let model = graph.models[position]
            let key = Names.joinKeys(model.name, model.primaryKey)
            let field = Names.lowerFirst(model.name)
            join.fields.append(
                ModelTypeField(
                    name: field,
                    content: .relation(Relation(kind: .belongsTo, model: model.name, targets: key)),
                    isRequired: true, location: side.location))
            join.indexes.append(ModelIndex(name: "by" + Names.upperFirst(model.name), fields: key))
            for rule in model.rules where !join.rules.contains(rule) { join.rules.append(rule) }
            if let index = model.fields.firstIndex(where: { $0.name == side.field.name.text }) {
                graph.models[position].fields[index].hold(
                    Relation(kind: .hasMany, model: name, associated: [field]))
            }
        }
        positions[name] = graph.models.count
        graph.models.append(join)
    }
}
