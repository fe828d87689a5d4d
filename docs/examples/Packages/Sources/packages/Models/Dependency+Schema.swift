import HoldfastModel

extension Dependency {
    enum CodingKeys: String, ModelKey {
        case id, kind, target, constraint, package
    }

    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.listPluralName = "Dependencies"
        model.syncPluralName = "Dependencies"
        model.attributes(
            .primaryKey(fields: [Dependency.keys.id]),
            .index(fields: ["target", "kind"], name: "byTarget"))
        model.fields(
            .field(keys.id, is: .required, ofType: .string),
            .field(keys.kind, is: .required, ofType: .enum(type: DependencyKind.self)),
            .field(keys.target, is: .required, ofType: .string),
            .field(keys.constraint, is: .optional, ofType: .string),
            .belongsTo(keys.package, is: .required, ofType: Package.self, targetNames: ["packageName"]))
    }
}
