package import HoldfastStorage

/// What the store holds and in which spaces of keys.
///
/// A space is the keys that begin with its number, 4 bytes, big endian. Every entity has one for its records and
/// one for each index. A number is never used twice, so that what is built or dropped never mixes with other data.
package struct KeyValueCatalog: Sendable {
    typealias Space = UInt32

    struct Field: Sendable {
        var name: String
        var type: StorageType
        var isRequired: Bool
    }

    struct Index: Sendable {
        var schema: IndexSchema
        var space: Space
    }

    struct Entity: Sendable {
        var name: String
        var space: Space
        var primaryKey: [String]
        /// In the order of a stored record's cells; new ones come last.
        var fields: [Field]
        var indexes: [Index]

        /// The spaces of the records and of all indexes.
        var spaces: [Space] { [space] + indexes.map(\.space) }
    }

    var entities: [Entity] = []
    /// The smallest number that no space had yet; 0 is the store's own.
    private(set) var nextSpace: Space = 1
    /// Spaces whose keys must be deleted: dropped ones, and those that were being built.
    var garbage: [Space] = []

    func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

    /// The stored schema, every type as a representative of its storage type.
    package func schema() throws(StorageError) -> StorageSchema {
        try StorageSchema(
            entities: entities.map { entity in
                EntitySchema(
                    entity.name,
                    fields: entity.fields.map {
                        FieldSchema($0.name, $0.type.representativeFieldType, isRequired: $0.isRequired)
                    },
                    primaryKey: entity.primaryKey, catalogIndexes: entity.indexes.map(\.schema))
            })
    }

    // MARK: Changes

    /// A number for a new space.
    mutating func makeSpace() -> Space {
        defer { nextSpace += 1 }
        return nextSpace
    }

    /// An entity with spaces of its own; not part of the catalog yet.
    mutating func makeEntity(_ schema: EntitySchema) -> Entity {
        Entity(
            name: schema.name, space: makeSpace(), primaryKey: schema.primaryKey,
            fields: schema.fields.map(Field.init), indexes: schema.catalogIndexes.map { makeIndex($0) })
    }

    /// An index with its own space; not part of the catalog yet.
    mutating func makeIndex(_ schema: IndexSchema) -> Index { Index(schema: schema, space: makeSpace()) }

    // MARK: Keys

    /// The bytes of the number of a space.
    static let prefixByteCount = 4
    /// The beginning of all keys of a space.
    static func prefix(of space: Space) -> [UInt8] { withUnsafeBytes(of: space.bigEndian) { Array($0) } }

    /// Whether a key is in the store's own space, and not in one of an entity.
    package static func isOfStore(_ key: UnsafeRawBufferPointer) -> Bool { key.starts(with: prefix(of: 0)) }

    /// Where the mark of the store is, if the engine has none of its own.
    static let markKey = prefix(of: 0) + [0]
    /// Where the catalog is.
    static let key = prefix(of: 0) + [1]
    /// Where the sequence of the last commit is, as 8 bytes, little endian.
    package static let sequenceKey = prefix(of: 0) + [2]
    /// Where it is written when an entity was changed, if several handles write.
    static func marksKey(of space: [UInt8]) -> [UInt8] { prefix(of: 0) + [4] + space }

    // MARK: Reading

    /// The catalog of a store; `nil` if there is none.
    package static func read(_ reader: any KeyValueReader) throws(StorageError) -> KeyValueCatalog? {
        try reader.value(key) { bytes throws(StorageError) in try KeyValueCatalog(bytes) }
    }

    /// The sequence of the last commit.
    package static func sequence(_ reader: any KeyValueReader) throws(StorageError) -> UInt64 {
        let sequence = try reader.value(sequenceKey) { bytes throws(StorageError) in
            var reader = KeyValueCellReader(bytes)
            return try reader.fixed()
        }
        return sequence ?? 0
    }

    /// Fails if another handle changed the catalog.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.schemaMismatch`.
    static func check(_ reader: any KeyValueReader, isStill catalog: [UInt8]) throws(StorageError) {
        let isSame = try reader.value(key) { $0.elementsEqual(catalog) }
        if isSame != true { throw StorageError.migratedStore() }
    }

    /// The tables of all entities of a schema that has been stored.
    package func tables(
        _ schema: StorageSchema, hasIndexes: Bool
    ) throws(StorageError) -> [String: KeyValueTable] {
        var tables: [String: KeyValueTable] = [:]
        for entity in schema.entities {
            guard let stored = self.entity(named: entity.name) else {
                throw StorageError.unknownEntity(entity.name)
            }
            tables[entity.name] = try KeyValueTable(entity, stored: stored, hasIndexes: hasIndexes)
        }
        return tables
    }
}

extension KeyValueCatalog.Field {
    init(_ schema: FieldSchema) {
        self.init(name: schema.name, type: schema.type.storageType, isRequired: schema.isRequired)
    }
}

// MARK: - As bytes

extension KeyValueCatalog {
    /// The catalog as it is stored: one cell, in the form of a record's.
    var encoded: [UInt8] {
        let entities = entities.map { entity in
            Value.list([
                .text(entity.name), .integer(Int64(entity.space)), Self.names(entity.primaryKey),
                .list(
                    entity.fields.map {
                        .list([.text($0.name), .text($0.type.catalogName), .boolean($0.isRequired)])
                    }),
                .list(
                    entity.indexes.map {
                        .list([
                            .text($0.schema.name), .integer(Int64($0.space)), Self.names($0.schema.fields),
                            .boolean($0.schema.isUnique),
                        ])
                    }),
            ])
        }
        var bytes: [UInt8] = []
        KeyValueCellCodec.append(
            .list([
                .integer(Int64(nextSpace)), .list(garbage.map { .integer(Int64($0)) }), .list(entities),
            ]), to: &bytes)
        return bytes
    }

    /// Reads a catalog.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption`.
    init(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        var reader = KeyValueCellReader(bytes)
        let root = try KeyValueCatalogNode(try reader.value())
        nextSpace = try root.space(0)
        garbage = try root.list(1) { node throws(StorageError) in try node.space() }
        entities = try root.list(2) { node throws(StorageError) in
            Entity(
                name: try node.text(0), space: try node.space(1), primaryKey: try node.names(2),
                fields: try node.list(3) { node throws(StorageError) in
                    guard let type = StorageType(catalogName: try node.text(1)[...]) else {
                        throw StorageError.damagedCatalog()
                    }
                    return Field(name: try node.text(0), type: type, isRequired: try node.boolean(2))
                },
                indexes: try node.list(4) { node throws(StorageError) in
                    Index(
                        schema: IndexSchema(
                            try node.text(0), on: try node.names(2), isUnique: try node.boolean(3)),
                        space: try node.space(1))
                })
        }
    }

    private static func names(_ names: [String]) -> Value { .list(names.map { .text($0) }) }
}

/// A part of a stored catalog.
private struct KeyValueCatalogNode {
    private let value: Value

    init(_ value: Value) throws(StorageError) { self.value = value }

    private func child(_ position: Int) throws(StorageError) -> KeyValueCatalogNode {
        guard case .list(let elements) = value, elements.indices.contains(position) else { throw .damagedCatalog() }
        return try KeyValueCatalogNode(elements[position])
    }

    func space() throws(StorageError) -> KeyValueCatalog.Space {
        guard case .integer(let number) = value, let space = KeyValueCatalog.Space(exactly: number) else {
            throw .damagedCatalog()
        }
        return space
    }

    func space(_ position: Int) throws(StorageError) -> KeyValueCatalog.Space { try child(position).space() }

    func text(_ position: Int) throws(StorageError) -> String {
        guard case .text(let text) = try child(position).value else { throw .damagedCatalog() }
        return text
    }

    func boolean(_ position: Int) throws(StorageError) -> Bool {
        guard case .boolean(let truth) = try child(position).value else { throw .damagedCatalog() }
        return truth
    }

    func names(_ position: Int) throws(StorageError) -> [String] {
        try list(position) { node throws(StorageError) in
            guard case .text(let name) = node.value else { throw StorageError.damagedCatalog() }
            return name
        }
    }

    func list<Element>(
        _ position: Int, _ make: (KeyValueCatalogNode) throws(StorageError) -> Element
    ) throws(StorageError) -> [Element] {
        guard case .list(let values) = try child(position).value else { throw .damagedCatalog() }
        var elements: [Element] = []
        for value in values { elements.append(try make(KeyValueCatalogNode(value))) }
        return elements
    }
}
