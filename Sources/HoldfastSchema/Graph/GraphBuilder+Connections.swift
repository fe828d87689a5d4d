import HoldfastGraphQL

// The relations of the older generation.
extension GraphBuilder {
    /// Reads `@connection` as the relation that it stands for.
    mutating func connection(_ declaration: DeclaredRelation) -> Relation? {
        guard let own = model(declaration.model), let other = model(declaration.target) else { return nil }
        let back = counterpart(of: declaration)
        if declaration.field.type.isList {
            return connectedList(declaration, own, other, back)
        }
        if let fields = declaration.directive.strings("fields") {
            let names = known(fields, of: own, in: .connection)
            guard checked(names, fields.count, against: other, declaration, in: own) else { return nil }
            if let back {
                // Of two sides that both hold a key, the first has the other.
                let isChild = back.field.type.isList || declaration.location > back.location
                if isChild { return Relation(kind: .belongsTo, model: other.name, targets: names) }
                return Relation(
                    kind: .hasOne, model: other.name, associated: [back.field.name.text], targets: names)
            }
            return Relation(kind: .hasOne, model: other.name, associated: other.primaryKey, targets: names)
        }
        return Relation(kind: .belongsTo, model: other.name, targets: connectionKeys(of: declaration, other))
    }

    private mutating func connectedList(
        _ declaration: DeclaredRelation, _ own: ModelType, _ other: ModelType, _ back: DeclaredRelation?
    ) -> Relation? {
        if let fields = declaration.directive.strings("fields") {
            let names = known(fields, of: own, in: .connection)
            guard names.count == fields.count else { return nil }
            var key = Array(other.primaryKey.prefix(names.count))
            if let keyName = declaration.directive.argument("keyName"), let name = keyName.string {
                guard let index = other.indexes.first(where: { $0.name == name }) else {
                    problems.add(
                        "\"\(other.name)\" has no key \"\(name)\"", at: keyName.location,
                        "Add \"@key(name: \"\(name)\", fields: …)\" to \"\(other.name)\".")
                    return nil
                }
                key = Array(index.fields.prefix(names.count))
            }
            guard haveSameTypes(names, of: own, key, of: other) else {
                problems.add(
                    "\"\(declaration.name)\" and the key of \"\(other.name)\" have fields of different types",
                    at: declaration.location, "The fields that are compared must have the same types.")
                return nil
            }
            let child = counterparts(of: declaration).first { !$0.field.type.isList && $0.directive.texts == key }
            return Relation(
                kind: .hasMany, model: other.name, associated: child.map { [$0.field.name.text] } ?? key)
        }
        if let back { return Relation(kind: .hasMany, model: other.name, associated: [back.field.name.text]) }
        let key =
            declaration.directive.string("keyField").map { [$0] }
            ?? own.primaryKey.map { Names.foreignKey(own.name, declaration.field.name.text, $0) }
        if let first = key.first, other.field(first) == nil {
            addForeignKey(key, to: own, in: other, for: declaration)
        } else {
            checkForeignKey(key, to: own, in: other, for: declaration)
        }
        return Relation(kind: .hasMany, model: other.name, associated: key)
    }

    /// The columns in which a child without `fields` keeps its parent's key.
    private func connectionKeys(of declaration: DeclaredRelation, _ other: ModelType) -> [String] {
        let stated =
            declaration.directive.string("keyField") ?? counterpart(of: declaration)?.directive.string("keyField")
        if let stated { return [stated] }
        return other.primaryKey.map { Names.foreignKey(declaration.model, declaration.field.name.text, $0) }
    }

    /// The other side of a connection: the one of the same name, or the only single one with fields.
    private func counterpart(of declaration: DeclaredRelation) -> DeclaredRelation? {
        let others = counterparts(of: declaration).filter { $0.kind == .connection }
        if let name = declaration.directive.string("name") {
            return others.first { $0.directive.string("name") == name }
        }
        guard !declaration.isImplicit else { return nil }
        return others.first { !$0.isImplicit && ($0.field.type.isList != declaration.field.type.isList) }
            ?? others.first { !$0.isImplicit }
    }
}
