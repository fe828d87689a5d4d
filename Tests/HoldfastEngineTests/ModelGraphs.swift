import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport

/// Random models that relate to each other in every way, and random records of them.
struct ModelGraph {
    let schemas: [ModelSchema]

    /// Two to five models; later ones may require earlier ones.
    init(using random: inout SplitMix64) {
        let count = random.number(in: 2...5)
        var isComposite: [Bool] = []
        for _ in 0..<count { isComposite.append(random.chance(25)) }
        schemas = (0..<count).map { Self.schema($0, isComposite, using: &random) }
    }

    private static func schema(
        _ number: Int, _ isComposite: [Bool], using random: inout SplitMix64
    ) -> ModelSchema {
        var fields = [ModelField(name: "id", type: .string, isRequired: true)]
        if isComposite[number] { fields.append(ModelField(name: "part", type: .int, isRequired: true)) }
        for value in 0..<random.below(3) {
            fields.append(ModelField(name: "value\(value)", type: random.pick([.string, .int, .double, .bool])))
        }
        for relation in 0..<random.below(3) {
            let parent = random.below(isComposite.count)
            let name = "parent\(relation)"
            if random.chance(20) && !isComposite[parent] {
                fields.append(ModelField(name: name + "Key", type: .string))
                fields.append(
                    ModelField(
                        name: name, type: .model(name: "M\(parent)"),
                        association: .hasOne(associatedFields: [Key("id")], targetNames: [name + "Key"])))
            } else {
                fields.append(
                    ModelField(
                        name: name, type: .model(name: "M\(parent)"),
                        isRequired: parent < number && random.chance(40),
                        association: .belongsTo(
                            associatedFieldName: nil,
                            targetNames: isComposite[parent] ? [name + "Id", name + "Part"] : [name + "Id"])))
            }
        }
        let key = isComposite[number] ? [Key("id"), Key("part")] : [Key("id")]
        return ModelSchema(
            name: "M\(number)", attributes: [.primaryKey(fields: key)],
            fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) }))
    }

    /// A record from a small world of keys, so that records meet; foreign keys lead anywhere.
    static func row(of entity: EntitySchema, using random: inout SplitMix64) -> [Value] {
        var row: [Value] = []
        for field in entity.fields {
            if !field.isRequired && random.chance(40) {
                row.append(.null)
                continue
            }
            let isKey = entity.primaryKey.contains(field.name) || field.name.hasPrefix("parent")
            switch field.type {
            case .int: row.append(.integer(Int64(random.below(isKey ? 2 : 50))))
            case .float: row.append(.double(random.pick([0.0, -0.0, 1.5])))
            case .boolean: row.append(.boolean(random.chance(50)))
            default: row.append(.text(isKey ? "k\(random.below(4))" : random.pick(["", "a", "b", "é"])))
            }
        }
        return row
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}

/// What a data store should hold after some writes, computed without its code except the folding of outbox entries.
struct ReferenceRecords {
    typealias Records = [String: [RecordKey: [Value]]]
    struct Broken: Error {}
    /// A relation by which a model's records belong to others.
    struct Relation {
        let child: EntitySchema
        let columns: [Int]
        let parent: String
    }

    private(set) var records: Records = [:]
    private(set) var outbox: [String: OutboxEntry] = [:]
    /// The records when the service had received everything.
    private(set) var sent: Records = [:]
    private let entities: [String: EntitySchema]
    private let relations: [Relation]

    init(_ graph: ModelGraph, _ entities: [EntitySchema]) {
        self.entities = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
        relations = zip(graph.schemas, entities).flatMap { schema, entity in
            schema.fields.values.compactMap { field in
                // The key of a has-one relation may lead anywhere.
                guard case .belongsTo(_, let names) = field.association else { return nil }
                return field.associatedModelName.map { parent in
                    Relation(child: entity, columns: names.compactMap(entity.position(of:)), parent: parent)
                }
            }
        }
    }

    /// One write of a transaction.
    enum Write {
        case save(EntitySchema, [[Value]])
        case delete(EntitySchema, [RecordKey])
    }

    /// Applies writes as one change.
    ///
    /// - Throws: ``Broken`` if a record would lead to none; nothing was changed.
    mutating func apply(_ writes: [Write]) throws {
        var state = records
        var written: Set<String> = []
        var touched: [(entity: EntitySchema, key: RecordKey)] = []
        func touch(_ entity: EntitySchema, _ key: RecordKey) {
            if written.insert("\(entity.name)/\(key.outboxText)").inserted { touched.append((entity, key)) }
        }
        for write in writes {
            switch write {
            case .save(let entity, let rows):
                for row in rows {
                    // Zero is stored without its sign.
                    let row = row.map { $0 == .double(-0.0) ? .double(0) : $0 }
                    let key = entity.key(of: row)
                    state[entity.name, default: [:]][key] = row
                    touch(entity, key)
                }
            case .delete(let entity, let keys):
                var doomed = keys.map { (entity, $0) }
                while let (entity, key) = doomed.popLast() {
                    guard state[entity.name]?.removeValue(forKey: key) != nil else { continue }
                    touch(entity, key)
                    for relation in relations where relation.parent == entity.name {
                        for (child, row) in state[relation.child.name] ?? [:] where parent(relation, row) == key {
                            doomed.append((relation.child, child))
                        }
                    }
                }
            }
        }
        for (entity, key) in touched {
            guard let row = state[entity.name]?[key] else { continue }
            let old = records[entity.name]?[key]
            for relation in relations where relation.child.name == entity.name {
                guard let parentKey = parent(relation, row), state[relation.parent]?[parentKey] == nil else { continue }
                let wasThere = records[relation.parent]?[parentKey] != nil
                if wasThere || old.flatMap({ parent(relation, $0) }) != parentKey { throw Broken() }
            }
        }
        for (entity, key) in touched { record(entity, key, records[entity.name]?[key], state[entity.name]?[key]) }
        records = state
    }

    /// The service has received everything.
    mutating func send() { (outbox, sent) = ([:], records) }

    private func parent(_ relation: Relation, _ row: [Value]) -> RecordKey? {
        let key = relation.columns.map { row[$0] }
        return key.contains(where: \.isNull) ? nil : RecordKey(key)
    }

    private mutating func record(_ entity: EntitySchema, _ key: RecordKey, _ old: [Value]?, _ new: [Value]?) {
        var positions = Set(entity.fields.indices.filter { old?[$0] != new?[$0] })
        // The parts of a key change together.
        for relation in relations where relation.child.name == entity.name {
            if !positions.isDisjoint(with: relation.columns) { positions.formUnion(relation.columns) }
        }
        let changed = positions.sorted().map { entity.fields[$0].name }
        let operation: OutboxEntry.Operation
        switch (old, new) {
        case (nil, nil): return
        case (nil, _): operation = .create
        case (_, nil): operation = .delete
        default:
            if changed.isEmpty { return }
            operation = .update
        }
        let entry = OutboxEntry(
            model: entity.name, key: key.outboxText, position: 0, operation: operation,
            changedFields: operation == .update ? changed : [])
        let identifier = "\(entity.name)/\(key.outboxText)"
        guard let pending = outbox[identifier] else {
            outbox[identifier] = entry
            return
        }
        outbox[identifier] = pending.folding(entry, allFields: entity.fields.map(\.name))
    }
}
