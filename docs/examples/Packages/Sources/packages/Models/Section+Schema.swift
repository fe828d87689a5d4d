import HoldfastModel

extension Section {
    enum CodingKeys: String, ModelKey {
        case name, packages
    }

    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.listPluralName = "Sections"
        model.syncPluralName = "Sections"
        model.attributes(.primaryKey(fields: [Section.keys.name]))
        model.fields(
            .field(keys.name, is: .required, ofType: .string),
            .hasMany(keys.packages, is: .optional, ofType: Package.self, associatedWith: Package.keys.section))
    }
}
