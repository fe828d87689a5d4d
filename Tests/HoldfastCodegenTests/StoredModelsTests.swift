import Foundation
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastModel

/// Every generated model of the golden schemas goes through every adapter, relations included.
@Suite struct StoredModelsTests {
    @Test(arguments: ["DataLazy", "DataEager", "AccessLazy", "AccessEager"], TestedAdapter.available)
    func everyModelIsReadBackFromTheStore(module: String, adapter: TestedAdapter) async throws {
        let models = try RoundTripTests.models(of: module)
        let group = module.hasPrefix("Data") ? "Data" : "Access"
        let world = try GeneratedRecords(models, try ValueMaker(Fixture.sources(of: group)), seed: 7, count: 6)
        let store = try await DataStore.open(adapter.make(), models: Array(models.values))
        for name in world.order {
            guard let type = models[name] else { continue }
            #expect(world.rows[name]?.isEmpty == false, "\(name) has no records")
            try await Self.save(type, name, world, in: store)
        }
        for name in world.order {
            guard let type = models[name] else { continue }
            try await Self.check(type, name, world, in: store)
        }
        #expect(try await store.verify().isEmpty)
        try await store.close()
    }

    private static func save<M: Model>(
        _ type: M.Type, _ name: String, _ world: GeneratedRecords, in store: DataStore
    ) async throws {
        for row in world.sequences[name] ?? [] {
            try await store.save(M(row: RowReader(row, row: 0, parents: world.parents(of: name, row))))
        }
    }

    private static func check<M: Model>(
        _ type: M.Type, _ name: String, _ world: GeneratedRecords, in store: DataStore
    ) async throws {
        let rows = world.rows[name] ?? [:]
        let found = try await store.query(M.self)
        #expect(found.count == rows.count, "\(name)")
        for model in found {
            let key = try model.recordKey()
            guard let row = rows[key] else {
                Issue.record("\(name) has a record that was not saved")
                continue
            }
            let saved = try M(row: RowReader(row, row: 0, parents: world.parents(of: name, row))).row()
            let cells = try model.row()
            for (column, label) in M.schema.columns.enumerated() {
                #expect(cells[0, column] == saved[0, column], "\(name).\(label)")
            }
            try await checkRelations(of: model, name, row, world)
            let loaded = try #require(try await store.load(M.self, key: key), "\(name) by its key")
            #expect(try loaded.row().cells == model.row().cells, "\(name) by its key")
        }
    }

    // MARK: - Relations

    private static func checkRelations<M: Model>(
        of model: M, _ name: String, _ row: RowBuffer, _ world: GeneratedRecords
    ) async throws {
        for child in Mirror(reflecting: model).children {
            guard let label = child.label, let related = relation(child.value) else { continue }
            let fieldName = label.hasPrefix("_") ? String(label.dropFirst()) : label
            let field = try #require(M.schema.field(withName: fieldName), "\(name).\(fieldName)")
            let expected = try expectedKeys(field, name, row, world)
            let found = try await related.relatedKeys()
            if field.isArray || expected.count < 2 {
                #expect(found == expected, "\(name).\(fieldName)")
            } else {
                // Nothing keeps several records from leading to one that has one of them.
                #expect(found.count == 1 && found.isSubset(of: expected), "\(name).\(fieldName)")
            }
        }
    }

    private static func relation(_ value: Any) -> (any Related)? {
        if let value = value as? any Related { return value }
        guard let wrapped = (value as? any OptionalType)?.wrappedValue else { return nil }
        return wrapped as? any Related ?? (wrapped as? any Model).map(HeldModel.init)
    }

    private static func expectedKeys(
        _ field: ModelField, _ name: String, _ row: RowBuffer, _ world: GeneratedRecords
    ) throws -> Set<RecordKey> {
        let other = try #require(field.associatedModelName)
        let otherSchema = try #require(world.schemas[other])
        let own = try #require(world.schemas[name])
        let held =
            switch field.association {
            case .belongsTo: own.columnPositions(of: [field.name])
            case .hasOne(_, _, let targetNames): own.columnPositions(of: targetNames)
            case .hasMany, nil: [Int]()
            }
        if !held.isEmpty {
            let key = held.map { row[0, $0] }
            return key.contains(where: \.isNull) ? [] : [RecordKey(key)]
        }
        let fields =
            switch field.association {
            case .hasMany(let name, let names): names.isEmpty ? name.map { [$0] } ?? [] : names
            case .hasOne(let name, let names, _): names.isEmpty ? name.map { [$0] } ?? [] : names
            case .belongsTo, nil: [String]()
            }
        let columns = otherSchema.columnPositions(of: fields)
        return world.keys(of: other, leadingBy: columns, to: world.key(of: name, row))
    }
}

/// Something that leads to other records.
private protocol Related {
    /// The keys of the records, loaded from the store.
    func relatedKeys() async throws -> Set<RecordKey>
}

extension List: Related {
    fileprivate func relatedKeys() async throws -> Set<RecordKey> {
        try await fetch()
        return Set(try elements.map { try $0.recordKey() })
    }
}

extension LazyReference: Related {
    fileprivate func relatedKeys() async throws -> Set<RecordKey> {
        Set(try [try await get()].compactMap { try $0?.recordKey() })
    }
}

/// A related record that an eager model holds.
private struct HeldModel: Related {
    let model: any Model

    func relatedKeys() async throws -> Set<RecordKey> { [try model.recordKey()] }
}
