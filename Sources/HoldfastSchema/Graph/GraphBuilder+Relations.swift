import HoldfastGraphQL

/// A relation as the author wrote it.
struct DeclaredRelation {
    enum Kind {
        case belongsTo, hasOne, hasMany, manyToMany, connection

        /// The kind that a directive declares; `nil` if it declares no relation.
        init?(_ directive: DirectiveName?) {
            switch directive {
            case .belongsTo: self = .belongsTo
            case .hasOne: self = .hasOne
            case .hasMany: self = .hasMany
            case .manyToMany: self = .manyToMany
            case .connection: self = .connection
            case .model, .auth, .primaryKey, .index, .default, .key, nil: return nil
            }
        }
    }
    var kind: Kind
    var model: String
    var field: FieldDefinition
    var directive: Directive

    var target: String { field.type.name.text }
    var isImplicit: Bool { directive.argument("fields") == nil && directive.argument("references") == nil }
    /// What messages call it.
    var name: String { "\(model).\(field.name)" }
    var location: Location { field.name.location }
}

extension GraphBuilder {
    /// The relations that a model declares, in the order of its fields.
    func declared(_ model: String) -> [DeclaredRelation] {
        (definitions[model]?.fields ?? []).compactMap { field in
            for directive in field.directives {
                guard let kind = DeclaredRelation.Kind(directive.known) else { continue }
                return DeclaredRelation(kind: kind, model: model, field: field, directive: directive)
            }
            return nil
        }
    }

    /// Completes the relations of a model.
    mutating func readRelations(of name: String) {
        guard let position = positions[name], let type = definitions[name] else { return }
        let relations = declared(name)
        for field in type.fields where definitions[field.type.name.text] != nil {
            guard !relations.contains(where: { $0.field.name.text == field.name.text }) else { continue }
            problems.add(
                "\"\(name).\(field.name)\" holds the model \"\(field.type.name)\" without saying how",
                at: field.name.location,
                field.type.isList ? "Add \"@hasMany\" or \"@manyToMany\"." : "Add \"@belongsTo\" or \"@hasOne\".")
        }
        for declaration in relations {
            guard definitions[declaration.target] != nil else {
                let isKnown = schema?.type(declaration.target) != nil
                if isKnown {
                    problems.add(
                        "\"\(declaration.name)\" is a relation to \"\(declaration.target)\", which is not a model",
                        at: declaration.location, "Add \"@model\" to \"\(declaration.target)\".")
                }
                continue
            }
            guard
                let index = graph.models[position].fields.firstIndex(where: { $0.name == declaration.field.name.text })
            else { continue }
            checkList(declaration)
            guard let relation = resolve(declaration) else { continue }
            graph.models[position].fields[index].hold(relation)
            if relation.kind == .belongsTo { absorb(relation, declaration) }
        }
    }

    /// Lets a belongs-to relation hold its key in place of the fields that the author declared for it.
    private mutating func absorb(_ relation: Relation, _ declaration: DeclaredRelation) {
        guard let own = model(declaration.model), let other = model(relation.model) else { return }
        absorbed[own.name, default: []].formUnion(relation.targets)
        checkForeignKey(relation.targets, to: other, in: own, for: declaration)
    }

    private mutating func checkList(_ declaration: DeclaredRelation) {
        let isList = declaration.field.type.isList
        switch declaration.kind {
        case .hasMany, .manyToMany:
            guard !isList else { return }
            problems.add(
                "\"\(declaration.name)\" leads to many records, but is not a list", at: declaration.location,
                "Write \"[\(declaration.target)]\", or use \"@hasOne\".")
        case .belongsTo, .hasOne:
            guard isList else { return }
            problems.add(
                "\"\(declaration.name)\" leads to one record, but is a list", at: declaration.location,
                "Write \"\(declaration.target)\", or use \"@hasMany\".")
        case .connection: break
        }
    }

    private mutating func resolve(_ declaration: DeclaredRelation) -> Relation? {
        switch declaration.kind {
        case .hasMany: hasMany(declaration)
        case .hasOne: hasOne(declaration)
        case .belongsTo: belongsTo(declaration)
        case .connection: connection(declaration)
        // Completed when both sides are known.
        case .manyToMany: nil
        }
    }

    func model(_ name: String) -> ModelType? { positions[name].map { graph.models[$0] } }

    // MARK: - Has many

    private mutating func hasMany(_ declaration: DeclaredRelation) -> Relation? {
        guard let own = model(declaration.model), let other = model(declaration.target) else { return nil }
        var relation = Relation(kind: .hasMany, model: other.name)
        guard let keys = childKeys(declaration, own, other) else { return nil }
        if let back = inverse(of: declaration, keys: keys) {
            relation.associated = [back.field.name.text]
        } else if declaration.isImplicit {
            addForeignKey(keys, to: own, in: other, for: declaration)
            addIndex(keys, named: "gsi-\(own.name).\(declaration.field.name)", to: other.name)
            relation.associated = keys
        } else {
            relation.associated = keys
        }
        return relation
    }

    /// The fields or columns of the children that hold the parent's key.
    mutating func childKeys(_ declaration: DeclaredRelation, _ own: ModelType, _ other: ModelType) -> [String]? {
        if let references = declaration.directive.strings("references") {
            let names = known(references, of: other, in: .hasMany)
            return checked(names, references.count, against: own, declaration) ? names : nil
        }
        guard let fields = declaration.directive.strings("fields") else {
            return own.primaryKey.map { Names.foreignKey(own.name, declaration.field.name.text, $0) }
        }
        let names = known(fields, of: own, in: .hasMany)
        guard names.count == fields.count else { return nil }
        guard let index = declaration.directive.argument("indexName"), let name = index.string else {
            let key = Array(other.primaryKey.prefix(names.count))
            guard haveSameTypes(names, of: own, key, of: other) else {
                problems.add(
                    "\"\(declaration.name)\" looks up the key of \"\(other.name)\", which has other types",
                    at: declaration.location, "Name an index of \"\(other.name)\" with \"indexName\".")
                return nil
            }
            return key
        }
        guard let found = other.indexes.first(where: { $0.name == name }) else {
            let names = other.indexes.map { "\"\($0.name)\"" }.joined(separator: ", ")
            problems.add(
                "\"\(other.name)\" has no index \"\(name)\"", at: index.location,
                names.isEmpty
                    ? "Add \"@index(name: \"\(name)\")\" to the field that holds the key." : "It has \(names).")
            return nil
        }
        let key = Array(found.fields.prefix(names.count))
        guard haveSameTypes(names, of: own, key, of: other) else {
            problems.add(
                "\"\(declaration.name)\" and the index \"\(name)\" have fields of different types",
                at: declaration.location, "The fields that are compared must have the same types.")
            return nil
        }
        return key
    }

    // MARK: - Has one

    private mutating func hasOne(_ declaration: DeclaredRelation) -> Relation? {
        guard let own = model(declaration.model), let other = model(declaration.target) else { return nil }
        var relation = Relation(kind: .hasOne, model: other.name, associated: other.primaryKey)
        if let references = declaration.directive.strings("references") {
            let names = known(references, of: other, in: .hasOne)
            guard checked(names, references.count, against: own, declaration) else { return nil }
            relation.associated = inverse(of: declaration, keys: names).map { [$0.field.name.text] } ?? names
            return relation
        }
        if let fields = declaration.directive.strings("fields") {
            relation.targets = known(fields, of: own, in: .hasOne)
            guard checked(relation.targets, fields.count, against: other, declaration, in: own) else { return nil }
        } else {
            relation.targets = other.primaryKey.map { Names.foreignKey(own.name, declaration.field.name.text, $0) }
            addForeignKey(relation.targets, to: other, in: own, for: declaration)
        }
        if let back = counterparts(of: declaration).first(where: { $0.kind == .belongsTo }) {
            relation.associated = [back.field.name.text]
        }
        return relation
    }

    // MARK: - Belongs to

    private mutating func belongsTo(_ declaration: DeclaredRelation) -> Relation? {
        guard let own = model(declaration.model), let other = model(declaration.target) else { return nil }
        var relation = Relation(kind: .belongsTo, model: other.name)
        let others = counterparts(of: declaration).filter { $0.kind == .hasMany || $0.kind == .hasOne }
        guard !others.isEmpty else {
            problems.add(
                "\"\(declaration.name)\" belongs to \"\(other.name)\", which has no relation to \"\(own.name)\"",
                at: declaration.location,
                "Add a field of type \"[\(own.name)]\" with \"@hasMany\" to \"\(other.name)\".")
            return nil
        }
        let stated = declaration.directive.strings("fields") ?? declaration.directive.strings("references")
        if let stated {
            relation.targets = known(stated, of: own, in: .belongsTo)
            guard checked(relation.targets, stated.count, against: other, declaration, in: own) else { return nil }
            return relation
        }
        guard let source = parentSide(of: declaration) else {
            problems.add(
                "\"\(declaration.name)\" is one relation to \"\(other.name)\" too many", at: declaration.location,
                "A \"@belongsTo\" without \"fields\" needs a \"@hasMany\" or \"@hasOne\" that no other one names.")
            return nil
        }
        if source.kind == .hasOne, source.directive.strings("references") == nil {
            relation.targets = other.primaryKey.map { Names.foreignKey(own.name, declaration.field.name.text, $0) }
            return relation
        }
        if let earlier = earlierSide(than: declaration) {
            problems.add(
                "\"\(declaration.name)\" and \"\(earlier.name)\" hold one key, that of \"\(source.name)\"",
                at: declaration.location, "Name the fields of each with \"@belongsTo(fields: …)\".")
            return nil
        }
        if source.kind == .hasMany {
            relation.targets = childKeys(source, other, own) ?? []
            let fields = source.directive.strings("fields")?.map(\.text)
            if !relation.targets.isEmpty, let fields, fields != other.primaryKey {
                problems.add(
                    "\"\(declaration.name)\" is the other side of \"\(source.name)\","
                        + " which is not looked up by the key of \"\(other.name)\"", at: declaration.location,
                    "Name the fields that hold the key with \"@belongsTo(fields: …)\".")
                return nil
            }
        } else if let references = source.directive.strings("references") {
            relation.targets = known(references, of: own, in: .hasOne)
        }
        return relation.targets.isEmpty ? nil : relation
    }
}

extension ModelTypeField {
    /// Makes the field lead to other records.
    ///
    /// A list of records is never required in a model, whatever its author wrote; the API and foreign keys follow the
    /// author.
    mutating func hold(_ relation: Relation) {
        content = .relation(relation)
        if relation.kind == .hasMany { isRequired = false }
    }
}
