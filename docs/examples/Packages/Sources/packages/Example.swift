import Foundation
import HoldfastEngine

/// The example from beginning to end.
struct Example {
    let options: Options

    func run() async throws {
        var report = Report()
        let store = try await open(&report)
        do {
            if try await store.count(Package.self) == 0 {
                try await importPackages(into: store, &report)
            } else {
                Terminal.line("\nThe packages of an earlier run are here; --fresh imports them again.")
            }
            try await Tour(store: store).run(&report)
            try await LiveDemo(store: store).run()
            try await SyncDemo(adapter: options.adapter).run()
            report.printTable()
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }

    private func open(_ report: inout Report) async throws -> DataStore {
        let path = options.storePath
        if options.adapter.usesFile {
            if options.startsFresh { try removeStore(at: path) }
            try createFolder(of: path)
        }
        Terminal.line("adapter: \(options.adapter.rawValue)")
        // A connection string may hold a password.
        let place = options.adapter.keepsRecords ? "the schema 'packages' of a database" : "in memory, gone at the end"
        Terminal.line("store:   \(options.adapter.usesFile ? path : place)")

        return try await report.measure("open the store", records: countRecords) {
            try await DataStore.open(
                makeAdapter(options.adapter, path: path),
                models: [Package.self, Dependency.self, Maintainer.self, Section.self])
        }
    }

    private func createFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw FileError(message: "cannot create the directory '\(folder.path)'; choose another with --store")
        }
    }

    private func countRecords(_ store: DataStore) async throws -> Int {
        let packages = try await store.count(Package.self)
        let dependencies = try await store.count(Dependency.self)
        let maintainers = try await store.count(Maintainer.self)
        let sections = try await store.count(Section.self)
        Terminal.line(
            """
            holds:   \(packages.grouped) packages, \(dependencies.grouped) dependencies, \
            \(maintainers.grouped) maintainers, \(sections.grouped) sections
            """)
        return packages + dependencies + maintainers + sections
    }

    private func importPackages(into store: DataStore, _ report: inout Report) async throws {
        let source = try PackageListSource.open(options)
        defer { source.close() }
        Terminal.line("\nimporting \(source.name)")
        var importer = Importer(store: store, reader: PackageListReader(chunks: source.nextChunk))
        let start = ContinuousClock.now
        let result = try await report.measure("import", records: \.recordCount) {
            try await importer.run(limit: options.limit ?? .max)
        }
        let speed = Double(result.recordCount) / ((ContinuousClock.now - start) / .seconds(1))
        Terminal.line("  \(Int(speed).grouped) records/s; batches: \(result.batchCount.grouped)")
        if result.malformedCount > 0 {
            Terminal.line("  skipped \(result.malformedCount.grouped) malformed stanzas:")
            for fault in result.faults { Terminal.line("    \(fault)") }
        }
    }
}
