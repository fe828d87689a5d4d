import HoldfastAdapterKit
import HoldfastStorage

/// What the store holds: each entity with the number of its table, kept as one value beside the data.
struct LMDBCatalog: Sendable {
    struct Entity: Sendable {
        /// The fields in the order in which they are stored; every type as a representative of its storage type.
        var schema: EntitySchema
        /// Never given to another entity.
        var number: UInt16
    }

    static let deletionPrefix: [UInt8] = [0, UInt8(ascii: "D")]
    private static let catalogKey: [UInt8] = [0, UInt8(ascii: "C")]
    private static let headKey: [UInt8] = [0, UInt8(ascii: "S")]
    private static let format = Value.text("holdfast-lmdb 1")

    var entities: [Entity] = []
    private var nextNumber: UInt16 = 1

    /// The empty catalog of a new store.
    init() {}

    func entity(named name: String) -> Entity? { entities.first { $0.schema.name == name } }

    /// The stored schema.
    func schema() throws(StorageError) -> StorageSchema { try StorageSchema(entities: entities.map(\.schema)) }

    /// Adds an entity with an empty table.
    mutating func add(_ schema: EntitySchema) throws(StorageError) -> Entity {
        guard nextNumber < .max else {
            throw StorageError(.limitExceeded, "The store has had 65 534 entities; copy it into a new one.")
        }
        let entity = Entity(schema: schema, number: nextNumber)
        nextNumber += 1
        entities.append(entity)
        return entity
    }

    /// Gives an entity the fields and indexes that it lacks.
    mutating func extend(_ name: String, to schema: EntitySchema) {
        guard let position = entities.firstIndex(where: { $0.schema.name == name }) else { return }
        let stored = entities[position].schema
        let added = schema.fields.filter { stored.field(named: $0.name) == nil }
        entities[position].schema = EntitySchema(
            name, fields: stored.fields + added, primaryKey: stored.primaryKey, indexes: schema.indexes)
    }

    // MARK: - Reading and writing

    /// Where a store stands.
    struct Head: Sendable {
        /// The sequence of the last commit.
        var sequence: UInt64 = 0
        /// Counts migrations: a handle from before one knows other tables.
        var generation: UInt64 = 0

        init() {}

        init(reading transaction: LMDBTransaction) throws(StorageError) {
            let head = try transaction.value(LMDBCatalog.headKey) { bytes throws(StorageError) in
                var reader = LMDBRowReader(bytes)
                var head = Head()
                head.sequence = try reader.integer()
                head.generation = try reader.integer()
                return head
            }
            self = head ?? Head()
        }

        func write(_ transaction: LMDBTransaction) throws(StorageError) {
            var bytes: [UInt8] = []
            LMDBRowCodec.append(sequence, to: &bytes)
            LMDBRowCodec.append(generation, to: &bytes)
            try transaction.put(bytes, at: LMDBCatalog.headKey)
        }
    }

    /// Reads the catalog; `nil` if the environment is empty.
    ///
    /// - Throws: ``StorageError`` `.incompatibleStore` if it holds something else.
    init?(reading transaction: LMDBTransaction) throws(StorageError) {
        let stored = try transaction.value(Self.catalogKey) { bytes throws(StorageError) in
            var reader = LMDBRowReader(bytes)
            return try reader.value()
        }
        guard let stored else {
            var isEmpty = true
            try transaction.scan(ByteRange(from: [0], to: nil)) { _, _ in
                isEmpty = false
                return false
            }
            if isEmpty { return nil }
            throw Self.foreign
        }
        guard case .list(let parts) = stored, parts.count == 3, parts[0] == Self.format,
            case .integer(let number) = parts[1], case .list(let entities) = parts[2]
        else { throw Self.foreign }
        nextNumber = UInt16(truncatingIfNeeded: number)
        for entity in entities { self.entities.append(try Self.entity(entity)) }
    }

    func write(_ transaction: LMDBTransaction) throws(StorageError) {
        let catalog = Value.list([
            Self.format, .integer(Int64(nextNumber)), .list(entities.map(Self.value)),
        ])
        var bytes: [UInt8] = []
        LMDBRowCodec.append(catalog, to: &bytes)
        try transaction.put(bytes, at: Self.catalogKey)
    }

    private static func value(_ entity: Entity) -> Value {
        let fields = entity.schema.fields.map { field in
            Value.list([
                .text(field.name), .list(field.type.storageType.catalogWords.map(Value.text)),
                .boolean(field.isRequired),
            ])
        }
        let indexes = entity.schema.indexes.map { index in
            Value.list([.text(index.name), .boolean(index.isUnique), .list(index.fields.map(Value.text))])
        }
        return .list([
            .text(entity.schema.name), .integer(Int64(entity.number)), .list(fields),
            .list(entity.schema.primaryKey.map(Value.text)), .list(indexes),
        ])
    }

    private static func entity(_ value: Value) throws(StorageError) -> Entity {
        guard case .list(let parts) = value, parts.count == 5, case .text(let name) = parts[0],
            case .integer(let number) = parts[1], case .list(let fields) = parts[2], case .list(let indexes) = parts[4]
        else { throw foreign }
        var schemas: [FieldSchema] = []
        for field in fields {
            guard case .list(let parts) = field, parts.count == 3, case .text(let name) = parts[0],
                case .boolean(let isRequired) = parts[2],
                let type = StorageType(catalogWords: try words(parts[1]))
            else { throw foreign }
            schemas.append(FieldSchema(name, type.representative, isRequired: isRequired))
        }
        var indexSchemas: [IndexSchema] = []
        for index in indexes {
            guard case .list(let parts) = index, parts.count == 3, case .text(let name) = parts[0],
                case .boolean(let isUnique) = parts[1]
            else { throw foreign }
            indexSchemas.append(IndexSchema(name, on: try words(parts[2]), isUnique: isUnique))
        }
        let schema = EntitySchema(name, fields: schemas, primaryKey: try words(parts[3]), indexes: indexSchemas)
        return Entity(schema: schema, number: UInt16(truncatingIfNeeded: number))
    }

    private static func words(_ value: Value) throws(StorageError) -> [String] {
        guard case .list(let elements) = value else { throw foreign }
        var words: [String] = []
        for element in elements {
            guard case .text(let word) = element else { throw foreign }
            words.append(word)
        }
        return words
    }

    private static let foreign = StorageError(
        .incompatibleStore,
        "The LMDB environment holds something else than a Holdfast store, or a newer version wrote it.")
}

extension StorageType {
    /// `list` as often as the type is a list of something, then the scalar.
    fileprivate var catalogWords: [String] {
        switch self {
        case .list(let element): ["list"] + element.catalogWords
        default: ["\(self)"]
        }
    }

    fileprivate init?(catalogWords words: [String]) {
        guard let last = words.last, var type = Self.scalars.first(where: { "\($0)" == last }) else { return nil }
        for _ in words.dropLast() { type = .list(type) }
        self = type
    }

    fileprivate var representative: FieldType {
        switch self {
        case .boolean: .boolean
        case .integer: .int
        case .double: .float
        case .text: .string
        case .bytes: .bytes
        case .date: .date
        case .time: .time
        case .timestamp: .dateTime
        case .json: .json
        case .list(let element): .list(of: element.representative, elementsAreRequired: false)
        }
    }
}
