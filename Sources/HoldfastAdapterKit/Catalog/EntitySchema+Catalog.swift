package import HoldfastStorage

extension IndexSchema {
    /// The order by version, which catalogs keep as an index: without a name, which no declared index can be, and
    /// without fields.
    package static let versionOrder = IndexSchema("", on: [])

    /// Whether this is ``versionOrder``.
    package var isVersionOrder: Bool { name.isEmpty }

    /// The name for people.
    package var displayName: String { isVersionOrder ? "by version" : name }
}

extension EntitySchema {
    /// What a catalog keeps as indexes: those declared, then the order by version if there is one.
    package var catalogIndexes: [IndexSchema] { indexes + (isOrderedByVersion ? [.versionOrder] : []) }

    /// An entity with what a catalog keeps as its indexes.
    package init(_ name: String, fields: [FieldSchema], primaryKey: [String], catalogIndexes: [IndexSchema]) {
        self.init(
            name, fields: fields, primaryKey: primaryKey, indexes: catalogIndexes.filter { !$0.isVersionOrder },
            isOrderedByVersion: catalogIndexes.contains(where: \.isVersionOrder))
    }
}
