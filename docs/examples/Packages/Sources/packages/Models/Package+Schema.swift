import HoldfastModel

extension Package {
    enum CodingKeys: String, ModelKey {
        case name, version, architecture, summary, installedSize, homepage, priority, maintainer, section, dependencies
    }

    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.listPluralName = "Packages"
        model.syncPluralName = "Packages"
        model.attributes(
            .primaryKey(fields: [Package.keys.name]),
            .index(fields: ["priority"], name: "byPriority"),
            .index(fields: ["sectionName", "installedSize"], name: "bySectionAndSize"))
        model.fields(
            .field(keys.name, is: .required, ofType: .string),
            .field(keys.version, is: .required, ofType: .string),
            .field(keys.architecture, is: .required, ofType: .string),
            .field(keys.summary, is: .required, ofType: .string),
            .field(keys.installedSize, is: .required, ofType: .int),
            .field(keys.homepage, is: .optional, ofType: .string),
            .field(keys.priority, is: .optional, ofType: .enum(type: PackagePriority.self)),
            .belongsTo(keys.maintainer, is: .optional, ofType: Maintainer.self, targetNames: ["maintainerEmail"]),
            .belongsTo(keys.section, is: .optional, ofType: Section.self, targetNames: ["sectionName"]),
            .hasMany(
                keys.dependencies, is: .optional, ofType: Dependency.self, associatedWith: Dependency.keys.package))
    }
}
