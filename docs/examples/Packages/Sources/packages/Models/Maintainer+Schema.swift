import HoldfastModel

extension Maintainer {
    enum CodingKeys: String, ModelKey {
        case email, name, packages
    }

    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.listPluralName = "Maintainers"
        model.syncPluralName = "Maintainers"
        model.attributes(.primaryKey(fields: [Maintainer.keys.email]))
        model.fields(
            .field(keys.email, is: .required, ofType: .string),
            .field(keys.name, is: .required, ofType: .string),
            .hasMany(keys.packages, is: .optional, ofType: Package.self, associatedWith: Package.keys.maintainer))
    }
}
