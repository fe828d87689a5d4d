#if CLI
import ArgumentParser
import Foundation
import HoldfastEngine
import HoldfastStorage

/// `holdfast inspect`.
struct InspectStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows what a store holds: entities, records, indexes, schema version, outbox.",
        discussion: """
            No value of a record is printed. Nothing is changed; a LevelDB store cleans up its own files when it is \
            opened.

            \(StoreAddress.forms)

            Examples:
              holdfast inspect sqlite:app.db
              holdfast inspect leveldb:app.ldb --digests
              holdfast inspect 'postgresql://me@localhost/app?schema=shop' --json

            Exit codes: 0 done, 1 no store or not readable, 64 wrong usage, 69 this build lacks the adapter.
            """)

    @ArgumentParser.Argument(help: "The address of the store.")
    var store: String

    @Flag(help: "Reads all records, and prints a digest of each entity: equal digests, equal records.")
    var digests = false

    @Flag(help: "Prints everything as JSON.")
    var json = false

    func run() async throws {
        let address = try StoreAddress(store, option: "The argument")
        try StoreAddress.requireAdapters(for: [address])
        try await CommandFailure.reported(asJSON: json) {
            let store = try await Store.openAsStored { try address.makeAdapter(isReadOnly: true) }
            let inspection: StoreInspection
            do {
                inspection = try await StoreInspection(of: store, digests: digests)
            } catch {
                try? await store.close()
                throw error
            }
            try await store.close()
            if json {
                try Output.json(InspectionRecord(inspection, byteCount: address.byteCount))
            } else {
                try Output.result(InspectionText(inspection, address).lines.joined(separator: "\n"))
            }
        }
    }
}

/// What a store holds, for people.
private struct InspectionText {
    let lines: [String]

    init(_ store: StoreInspection, _ address: StoreAddress) {
        var lines = ["Store: \(address), \(store.adapterName) \(store.engineVersion ?? "")".trimmed]
        if store.isUnfinishedCopy { lines.append("UNFINISHED: a copy to this store was begun; run it again.") }
        lines.append("Schema version: \(store.schemaVersion)")
        if let recorded = store.recordedSchemaVersion, recorded != store.schemaVersion {
            lines.append("Last opened with models of version: \(recorded)")
        }
        lines.append("Sequence: \(store.sequence)")
        if let count = address.byteCount { lines.append("Size: \(count) bytes") }
        lines.append("Entities:")
        let width = store.entities.map(\.name.count).max() ?? 0
        for entity in store.entities {
            let name = entity.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let digest = entity.digest.map { ", digest \($0)" } ?? ""
            lines.append(
                "  \(name)  \(entity.recordCount) records, \(entity.fieldCount) fields, "
                    + "key (\(entity.primaryKey.joined(separator: ", ")))\(digest)")
            for index in entity.indexes {
                let kind = index.isUnique ? "unique index" : "index"
                lines.append("    \(kind) \(index.name) (\(index.fields.joined(separator: ", ")))")
            }
        }
        let pending = store.outbox.reduce(0) { $0 + $1.pendingCount }
        let inFlight = store.outbox.reduce(0) { $0 + $1.inFlightCount }
        lines.append("Outbox: \(pending) pending, \(inFlight) in flight")
        for model in store.outbox {
            lines.append("  \(model.model): \(model.pendingCount) pending, \(model.inFlightCount) in flight")
        }
        lines.append("Tombstones: \(store.tombstoneCount)")
        self.lines = lines
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

/// What a store holds, as JSON.
private struct InspectionRecord: Encodable {
    struct Entity: Encodable {
        let name: String
        let isSystem: Bool
        let records: Int
        let fields: Int
        let key: [String]
        let indexes: [Index]
        let digest: String?
    }

    struct Index: Encodable {
        let name: String
        let fields: [String]
        let isUnique: Bool
    }

    struct Outbox: Encodable {
        let model: String
        let pending: Int
        let inFlight: Int
    }

    let adapter: String
    let engineVersion: String?
    let schemaVersion: String
    let recordedSchemaVersion: String?
    let sequence: UInt64
    let bytes: Int?
    let isUnfinishedCopy: Bool
    let entities: [Entity]
    let outbox: [Outbox]
    let tombstones: Int

    init(_ store: StoreInspection, byteCount: Int?) {
        adapter = store.adapterName
        engineVersion = store.engineVersion
        schemaVersion = store.schemaVersion
        recordedSchemaVersion = store.recordedSchemaVersion
        sequence = store.sequence
        bytes = byteCount
        isUnfinishedCopy = store.isUnfinishedCopy
        entities = store.entities.map { entity in
            Entity(
                name: entity.name, isSystem: entity.isSystem, records: entity.recordCount,
                fields: entity.fieldCount, key: entity.primaryKey,
                indexes: entity.indexes.map { Index(name: $0.name, fields: $0.fields, isUnique: $0.isUnique) },
                digest: entity.digest)
        }
        outbox = store.outbox.map {
            Outbox(model: $0.model, pending: $0.pendingCount, inFlight: $0.inFlightCount)
        }
        tombstones = store.tombstoneCount
    }
}
#endif
