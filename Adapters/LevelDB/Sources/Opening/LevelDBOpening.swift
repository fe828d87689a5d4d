#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// Opens a directory as a store: recognises it, brings its schema up to date, and leaves alone what is no store.
struct LevelDBOpening {
    struct Opened {
        let writer: LevelDBWriter
        let tables: [String: LevelDBTable]
        let sequence: UInt64
        let recovery: LevelDBRecovery
    }

    let configuration: LevelDBConfiguration
    let directory: LevelDBDirectory
    let request: OpenRequest

    func open() throws(StorageError) -> Opened {
        let isNew = try directory.content() == .nothing
        if isNew && !request.createsStore { throw OpenRequest.missingStore }
        if isNew { try directory.create(mode: configuration.directoryMode) }
        var recovery = LevelDBRecovery()
        let handle = try LevelDBConnection(path: directory.path, configuration, creates: isNew) {
            () throws(StorageError) in
            if !isNew { recovery = try directory.recover() }
        }
        let writer = LevelDBWriter(handle, directory)
        let stored = try Self.catalog(of: handle)
        let sequence = try Self.sequence(of: handle, .latest)
        var schema = LevelDBSchemaWriter(writer, stored ?? LevelDBCatalog(), sequence: sequence)
        try schema.collectGarbage()
        try schema.change(to: request, isNew: stored == nil)
        return Opened(
            writer: writer, tables: try schema.catalog.tables(request.schema), sequence: sequence,
            recovery: recovery)
    }

    /// The catalog of a database; `nil` if there is nothing in it yet.
    ///
    /// - Throws: ``StorageError`` `.corruption` if there is something and no catalog.
    static func catalog(of handle: LevelDBConnection) throws(StorageError) -> LevelDBCatalog? {
        let catalog = try handle.get(LevelDBCatalog.key, .latest) { bytes throws(StorageError) in
            try LevelDBCatalog(bytes)
        }
        if let catalog { return catalog }
        let place = handle.iterator(.latest)
        place.seekToFirst()
        try place.check()
        if place.isValid {
            throw StorageError(.corruption, "The catalog of the store is missing; restore the store from a copy.")
        }
        return nil
    }

    /// The sequence of the last commit.
    static func sequence(
        of handle: LevelDBConnection, _ options: LevelDBReadOptions
    ) throws(StorageError) -> UInt64 {
        let sequence = try handle.get(LevelDBCatalog.sequenceKey, options) { bytes throws(StorageError) in
            var reader = LevelDBCellReader(bytes)
            return try reader.fixed()
        }
        return sequence ?? 0
    }
}

extension LevelDBCatalog {
    /// The tables of all entities of a schema that has been stored.
    func tables(_ schema: StorageSchema) throws(StorageError) -> [String: LevelDBTable] {
        var tables: [String: LevelDBTable] = [:]
        for entity in schema.entities {
            guard let stored = self.entity(named: entity.name) else {
                throw StorageError.unknownEntity(entity.name)
            }
            tables[entity.name] = try LevelDBTable(entity, stored: stored)
        }
        return tables
    }
}
#endif
