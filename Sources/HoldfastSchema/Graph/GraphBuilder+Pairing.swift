import HoldfastGraphQL

// Which relation is the other side of which.
extension GraphBuilder {
    /// The relations that lead from a relation's target back to its model.
    func counterparts(of declaration: DeclaredRelation) -> [DeclaredRelation] {
        declared(declaration.target).filter {
            $0.target == declaration.model
                && !($0.model == declaration.model && $0.field.name == declaration.field.name)
        }
    }

    /// The has-many or has-one relation of an implicit belongs-to relation: the first field, as the service has it.
    func parentSide(of declaration: DeclaredRelation) -> DeclaredRelation? {
        counterparts(of: declaration).first { parent in
            guard parent.kind == .hasMany || parent.kind == .hasOne else { return false }
            // Sides that name their fields belong to the belongs-to relations that name the same.
            guard let keys = statedKeys(of: parent) else { return true }
            return !declared(declaration.model).contains {
                $0.kind == .belongsTo && $0.target == declaration.target && $0.directive.texts == keys
            }
        }
    }

    /// The implicit belongs-to relation to the same model that comes before this one; `nil` if this is the first.
    func earlierSide(than declaration: DeclaredRelation) -> DeclaredRelation? {
        declared(declaration.model).first {
            $0.kind == .belongsTo && $0.isImplicit && $0.target == declaration.target
        }.flatMap { $0.field.name == declaration.field.name ? nil : $0 }
    }

    /// The belongs-to relation at the other side of a has-many or has-one relation whose children hold keys.
    func inverse(of declaration: DeclaredRelation, keys: [String]) -> DeclaredRelation? {
        let candidates = counterparts(of: declaration).filter { $0.kind == .belongsTo }
        if let stated = candidates.first(where: { $0.directive.texts == keys }) { return stated }
        return candidates.first { $0.isImplicit && parentSide(of: $0)?.field.name == declaration.field.name }
    }

    /// Lets relations whose key the children hold in a relation to another model name that relation, since the fields
    /// of the key are gone.
    mutating func nameHoldersOfKeys() {
        for (position, model) in graph.models.enumerated() {
            for (index, field) in model.fields.enumerated() {
                guard var relation = field.relation, let other = self.model(relation.model),
                    relation.associated.contains(where: { other.field($0) == nil })
                else { continue }
                let holder = other.fields.first {
                    $0.relation?.kind == .belongsTo && $0.columns == relation.associated
                }
                guard let holder else { continue }
                relation.associated = [holder.name]
                graph.models[position].fields[index].content = .relation(relation)
            }
        }
    }

    /// The fields of the children that a parent's side states.
    private func statedKeys(of parent: DeclaredRelation) -> [String]? {
        if let references = parent.directive.strings("references") { return references.map(\.text) }
        guard let fields = parent.directive.strings("fields"), let other = model(parent.target) else { return nil }
        guard let name = parent.directive.string("indexName") else {
            return Array(other.primaryKey.prefix(fields.count))
        }
        return other.indexes.first { $0.name == name }.map { Array($0.fields.prefix(fields.count)) }
    }

    // MARK: - Foreign keys

    /// Adds the fields in which a model holds the key of another one, as far as it does not declare them.
    mutating func addForeignKey(
        _ names: [String], to other: ModelType, in holder: ModelType, for declaration: DeclaredRelation
    ) {
        checkForeignKey(names, to: other, in: holder, for: declaration)
        for (name, key) in zip(names, other.primaryKey.compactMap(other.field)) {
            generated[holder.name, default: []].append(
                ModelTypeField(
                    name: name, content: key.content, isRequired: declaration.field.type.isNonNull, scalar: key.scalar))
        }
    }

    /// Reports a declared field in which a relation holds a key of another type.
    mutating func checkForeignKey(
        _ names: [String], to other: ModelType, in holder: ModelType, for declaration: DeclaredRelation
    ) {
        let held = zip(names, other.primaryKey).filter { holder.field($0.0) != nil }
        guard !haveSameTypes(held.map(\.0), of: holder, held.map(\.1), of: other) else { return }
        let names = held.map { "\"\($0.0)\"" }.joined(separator: ", ")
        problems.add(
            "\"\(declaration.name)\" holds its key in \(names), which does not fit the key of \"\(other.name)\"",
            at: declaration.location, "Give the field the type of the key, or leave it out.")
    }

    mutating func addIndex(_ fields: [String], named name: String, to model: String) {
        guard let position = positions[model] else { return }
        graph.models[position].indexes.append(ModelIndex(name: name, fields: fields))
    }

    /// Whether stated fields fit the key of the model that they lead to; reports if not.
    mutating func checked(
        _ names: [String], _ count: Int, against target: ModelType, _ declaration: DeclaredRelation,
        in holder: ModelType? = nil
    ) -> Bool {
        guard names.count == count else { return false }
        guard let holder = holder ?? model(declaration.target) else { return false }
        if names.count == target.primaryKey.count, haveSameTypes(names, of: holder, target.primaryKey, of: target) {
            return true
        }
        let key = target.primaryKey.compactMap(target.field).map { "\($0.name): \($0.scalar)" }
        problems.add(
            "the fields of \"\(declaration.name)\" do not fit the key of \"\(target.name)\"", at: declaration.location,
            "It needs one field for each of: \(key.joined(separator: ", ")).")
        return false
    }

    func haveSameTypes(_ names: [String], of model: ModelType, _ others: [String], of other: ModelType) -> Bool {
        guard names.count == others.count else { return false }
        return zip(names, others).allSatisfy { name, otherName in
            guard let field = model.field(name), let otherField = other.field(otherName) else { return false }
            return field.value != nil && field.value == otherField.value && !field.isList && !otherField.isList
        }
    }
}

extension Directive {
    /// The fields that a relation states.
    var texts: [String]? { (strings("fields") ?? strings("references"))?.map(\.text) }
}
