package import HoldfastStorage

/// Makes random schemas.
package enum SchemaGenerator {
    private static let plainNames = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"]
    private static let nastyNames = [
        "select", "a b", "Ä", "ä", "Name", "name", "rowid", "order", "a\"b", "a'b", "a.b", "%", "?1", ":x", "xmin",
        "group", "_", "key", "table", "1", "😀", "holdfast", "version", "sqlite_x", "--", "id",
    ]

    /// One to three entities that obey the rules of a schema.
    package static func entities(
        _ configuration: DifferentialConfiguration, using random: inout SplitMix64
    ) -> [EntitySchema] {
        let isNasty = configuration.hasNastyNames && random.chance(35)
        let names = random.sample(isNasty ? nastyNames : ["Post", "Comment", "Tag"], random.pick([1, 1, 2, 3]))
        return names.map { entity($0, isNasty, configuration, using: &random) }
    }

    /// An additive change that a schema can take.
    static func widening(of schema: StorageSchema, using random: inout SplitMix64) -> SchemaWidening {
        let entity = random.pick(schema.entities)
        let scalars = entity.fields.filter { !$0.type.storageType.isList }.map(\.name)
        switch random.below(10) {
        case ..<5:
            let type =
                random.chance(20) ? FieldType.list(of: .string, elementsAreRequired: true) : fieldType(using: &random)
            return .field(entity.name, FieldSchema("added\(entity.fields.count)", type))
        case ..<8:
            let fields = random.sample(scalars, random.number(in: 1...min(2, scalars.count)))
            return .index(entity.name, IndexSchema("new\(entity.fields.count)-\(random.below(1_000_000))", on: fields))
        case 8:
            guard let index = entity.indexes.last else { fallthrough }
            return .withoutIndex(entity.name, index.name)
        default:
            let fields = [FieldSchema("id", .id), FieldSchema("number", .int), FieldSchema("text", .string)]
            return .entity(
                EntitySchema(
                    "Fresh\(schema.entities.count)", fields: fields, indexes: [IndexSchema("byText", on: ["text"])]))
        }
    }

    private static func entity(
        _ name: String, _ isNasty: Bool, _ configuration: DifferentialConfiguration, using random: inout SplitMix64
    ) -> EntitySchema {
        let fieldNames = random.sample(isNasty ? nastyNames : plainNames, random.number(in: 2...8))
        let keyCount = min(random.pick([1, 1, 1, 2, 3]), fieldNames.count)
        var fields: [FieldSchema] = []
        for (index, fieldName) in fieldNames.enumerated() {
            var type = index < keyCount ? keyType(using: &random) : fieldType(using: &random)
            if index >= keyCount && random.chance(20) {
                type = .list(of: type, elementsAreRequired: random.chance(40))
            }
            fields.append(FieldSchema(fieldName, type, isRequired: random.chance(35)))
        }
        let key = fields.prefix(keyCount).map(\.name)
        let shuffled = random.sample(fields, fields.count)
        return EntitySchema(
            name, fields: shuffled, primaryKey: key,
            indexes: indexes(shuffled, isNasty, configuration, using: &random))
    }

    /// Text and integers most often: the keys that applications have.
    private static func keyType(using random: inout SplitMix64) -> FieldType {
        random.chance(45) ? random.pick([.id, .string, .int]) : random.pick(ValuePool.elementTypes)
    }

    /// Any type, text and numbers a little more often.
    private static func fieldType(using random: inout SplitMix64) -> FieldType {
        random.chance(30) ? random.pick([.string, .int, .float]) : random.pick(ValuePool.elementTypes)
    }

    private static func indexes(
        _ fields: [FieldSchema], _ isNasty: Bool, _ configuration: DifferentialConfiguration,
        using random: inout SplitMix64
    ) -> [IndexSchema] {
        let names = fields.filter { !$0.type.storageType.isList }.map(\.name)
        return random.sample(isNasty ? nastyNames : ["byA", "byB", "byC"], random.pick([0, 0, 1, 2, 3])).map {
            IndexSchema(
                $0, on: random.sample(names, random.number(in: 1...min(3, names.count))),
                isUnique: configuration.hasUniqueIndexes && random.chance(30))
        }
    }
}
