import HoldfastStorage

/// The way of one stored model through the renamings and removals of a migration.
struct ModelRenaming: Sendable {
    /// The entity as stored.
    let source: EntitySchema
    /// The model's name so far.
    var name: String
    /// The stored fields that remain, as position and name so far.
    var fields: [(position: Int, name: String)]

    init(_ source: EntitySchema) {
        self.source = source
        name = source.name
        fields = source.fields.enumerated().map { ($0, $1.name) }
    }

    /// Whether a field of that name exists.
    func has(_ field: String) -> Bool { fields.contains { $0.name == field } }

    /// The stored entity under its new names, without the removed fields; `nil` if its key lost a field.
    var renamed: EntitySchema {
        let names = Dictionary(uniqueKeysWithValues: fields.map { (source.fields[$0.position].name, $0.name) })
        return EntitySchema(
            name,
            fields: fields.map { position, name in
                FieldSchema(name, source.fields[position].type, isRequired: source.fields[position].isRequired)
            },
            primaryKey: source.primaryKey.map { names[$0] ?? "" },
            indexes: source.indexes.compactMap { index in
                let fields = index.fields.compactMap { names[$0] }
                return fields.count == index.fields.count
                    ? IndexSchema(index.name, on: fields, isUnique: index.isUnique) : nil
            }, isOrderedByVersion: source.isOrderedByVersion)
    }

    /// Whether a step renamed or removed something.
    var isChanged: Bool {
        name != source.name || fields.count != source.fields.count
            || fields.contains { source.fields[$0.position].name != $0.name }
    }

    /// The present name of each stored field that has one.
    var newNames: [String: String] {
        Dictionary(uniqueKeysWithValues: fields.map { (source.fields[$0.position].name, $0.name) })
    }
}

/// The stored models on their way: what the renamings and removals of a list of steps make of them.
///
/// Pure. A step that finds its work done already changes nothing.
struct ModelRenamings: Sendable {
    private(set) var routes: [ModelRenaming]
    /// The stored names of models that were given up.
    private(set) var removed: Set<String> = []

    init(_ stored: StorageSchema, steps: [ModelMigration], to schema: [String: EntitySchema]) {
        routes = stored.entities.map(ModelRenaming.init)
        for (number, step) in steps.enumerated() {
            let later = steps[(number + 1)...]
            switch step.kind {
            case .renameModel(let old, let new):
                guard let index = position(of: old), position(of: new) == nil else { continue }
                routes[index].name = new
            case .renameField(let model, let old, let new):
                guard let index = position(of: model), !routes[index].has(new),
                    let field = routes[index].fields.firstIndex(where: { $0.name == old })
                else { continue }
                routes[index].fields[field].name = new
            case .removeModel(let model):
                let makesRoom = later.contains {
                    if case .renameModel(let old, model) = $0.kind { position(of: old) != nil } else { false }
                }
                guard let index = position(of: model), schema[model] == nil || makesRoom else { continue }
                removed.insert(routes.remove(at: index).source.name)
            case .removeField(let model, let field):
                guard let index = position(of: model) else { continue }
                let makesRoom = later.contains {
                    if case .renameField(model, let old, field) = $0.kind { routes[index].has(old) } else { false }
                }
                // A model that is yet to be renamed has its last name's fields.
                let target = schema[Self.lastName(of: model, later)]
                guard target?.field(named: field) == nil || makesRoom else { continue }
                routes[index].fields.removeAll { $0.name == field }
            default: continue
            }
        }
    }

    /// The stored model that has come to this name.
    subscript(_ name: String) -> ModelRenaming? { position(of: name).map { routes[$0] } }

    private func position(of name: String) -> Int? { routes.firstIndex { $0.name == name } }

    private static func lastName(of model: String, _ steps: ArraySlice<ModelMigration>) -> String {
        steps.reduce(model) { name, step in
            if case .renameModel(name, let new) = step.kind { new } else { name }
        }
    }
}
