#if SQLite
import Foundation
import HoldfastAdapterTestSupport
import HoldfastConformance
import HoldfastModel
import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

struct InterruptedCopyTests {
    /// Copies until a task is cancelled in the middle of the posts.
    private func interrupt(_ source: Store, _ target: TestLocation, at phase: StoreCopy.Progress.Phase) async throws {
        let copy = StoreCopy(from: source) { progress in
            if progress.phase == phase && progress.entity == "Post" && progress.recordCount > 900 {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        } to: {
            target.make()
        }
        let error = await storageError { _ = try await Task { try await copy.run() }.value }
        #expect(error?.kind == .cancelled)
    }

    private func expectIsRefused(_ location: TestLocation) async throws {
        for policy in [SchemaPolicy.refuse, .rebuild, .migrate([])] {
            let error = await storageError {
                _ = try await DataStore.open(
                    location.make(), models: ShopStore.models, options: DataStoreOptions(schemaPolicy: policy))
            }
            #expect(error?.kind == .incompatibleStore)
        }
        let store = try await Store.openAsStored { location.make(isReadOnly: true) }
        #expect(store.schema.isUnfinishedCopy)
        #expect(try await StoreInspection(of: store).isUnfinishedCopy)
        let error = await storageError { _ = try await StoreCopy(from: store) { location.make() }.run() }
        #expect(error?.kind == .incompatibleStore)
        try await store.close()
    }

    private func checkInterruptions(of adapter: TestedAdapter) async throws {
        let location = TestLocation(.sqlite)
        try await ShopStore.fill(location)
        let source = try await Store.openAsStored { location.make(isReadOnly: true) }
        for phase in [StoreCopy.Progress.Phase.copying, .verifying] {
            let target = TestLocation(adapter)
            try await interrupt(source, target, at: phase)
            try await expectIsRefused(target)
            let (copy, report) = try await StoreCopy(from: source) { target.make() }.run()
            let posts = try #require(report.entities.first { $0.name == "Post" })
            #expect(phase == .copying ? (1..<posts.recordCount).contains(posts.keptCount) : posts.keptCount > 900)
            #expect(try await copy.content() == source.content())
            try await copy.close()
            let application = try await DataStore.open(target.make(), models: ShopStore.models)
            #expect(try await application.query(Post.self, byId: "p2")?.title == "Changed")
            try await application.close()
        }
        try await source.close()
    }

    @Test(arguments: TestedAdapter.lasting)
    func aCancelledCopyIsRefusedByApplicationsAndFinishedByTheNext(_ adapter: TestedAdapter) async throws {
        try await checkInterruptions(of: adapter)
    }

    @Test(.enabled(if: PostgreSQLServer.url != nil, "\(PostgreSQLServer.absence)"))
    func aCancelledCopyToAServerIsFinishedByTheNext() async throws {
        try await checkInterruptions(of: try #require(TestedAdapter(rawValue: "postgresql")))
    }

    /// A copy that was given up may still run on another machine.
    @Test(arguments: [true, false]) func aCopyEndsWhenAnotherOneBegins(hasWritten: Bool) async throws {
        let (location, target) = (TestLocation(.sqlite), TestLocation(.sqlite))
        try await ShopStore.fill(location)
        let source = try await Store.openAsStored { location.make(isReadOnly: true) }
        func copyAll(to target: CopyTarget) async throws {
            try await source.withSnapshot { snapshot in
                var run = CopyRun(
                    source: snapshot, target: target.store, claim: target.claim, schema: source.schema, progress: nil)
                _ = try await run.copyAll()
            }
        }
        let first = try await CopyTarget.open({ target.make() }, schema: source.schema)
        if hasWritten { try await copyAll(to: first) }
        let second = try await CopyTarget.open({ target.make() }, schema: source.schema)
        if !hasWritten {
            let error = await storageError { try await copyAll(to: first) }
            #expect(error?.kind == .conflict)
        }
        let error = await storageError { _ = try await first.finish() }
        #expect(error?.kind == .conflict)
        try await first.store.close()
        try await copyAll(to: second)
        let copy = try await second.finish()
        #expect(try await copy.content() == source.content())
        try await copy.close()
        try await source.close()
    }

    @Test(arguments: TestedAdapter.lasting)
    func aCopyBeginsAgainWhereItsSourceHasChanged(_ adapter: TestedAdapter) async throws {
        let (location, target) = (TestLocation(.sqlite), TestLocation(adapter))
        try await ShopStore.fill(location)
        var source = try await Store.openAsStored { location.make(isReadOnly: true) }
        try await interrupt(source, target, at: .copying)
        try await source.close()
        let application = try await DataStore.open(location.make(), models: ShopStore.models)
        try await application.delete(Post.self, withId: "p0")
        try await application.delete(Blog.self, withId: "new")
        try await application.save(Post(id: "p10", title: "Other"))
        try await application.close()
        source = try await Store.openAsStored { location.make(isReadOnly: true) }
        let (copy, report) = try await StoreCopy(from: source) { target.make() }.run()
        #expect(report.entities.first { $0.name == "Post" }?.keptCount == 0)
        #expect(try await copy.content() == source.content())
        try await copy.close()
        try await source.close()
    }

    @Test(arguments: TestedAdapter.lasting)
    func aCopyBeginsAgainWhereItsSourceHasAnotherSchema(_ adapter: TestedAdapter) async throws {
        let (location, target) = (TestLocation(.sqlite), TestLocation(adapter))
        try await ShopStore.fill(location)
        let source = try await Store.openAsStored { location.make(isReadOnly: true) }
        try await interrupt(source, target, at: .copying)
        let entity = EntitySchema("Post", fields: [FieldSchema("id", .int), FieldSchema("stars", .float)])
        let other = try await Store.open(
            SQLiteAdapter(SQLiteConfiguration(.temporary)), schema: StorageSchema(entities: [entity]))
        _ = try await other.commit(
            CommitRequest(operations: WriteOperation.put([[.integer(1), .double(1.5)]], in: entity)))
        let (copy, _) = try await StoreCopy(from: other) { target.make() }.run()
        #expect(copy.schema.entities.map(\.name) == ["Post"])
        #expect(try await copy.content() == other.content())
        for store in [copy, other, source] { try await store.close() }
    }

    @Test(arguments: TestedAdapter.lasting)
    func aTargetThatHoldsAStoreIsLeftAlone(_ adapter: TestedAdapter) async throws {
        let (location, target) = (TestLocation(.sqlite), TestLocation(adapter))
        try await ShopStore.fill(location)
        try await ShopStore.fill(target)
        let source = try await Store.openAsStored { location.make(isReadOnly: true) }
        let before = try await Store.openAsStored { target.make() }
        let content = try await before.content()
        try await before.close()
        let error = await storageError { _ = try await StoreCopy(from: source) { target.make() }.run() }
        #expect(error?.kind == .incompatibleStore)
        #expect(error?.message.contains("holds a store already") == true)
        let after = try await Store.openAsStored { target.make() }
        #expect(try await after.content() == content)
        try await after.close()
        try await source.close()
    }

    @Test(arguments: TestedAdapter.local)
    func whereThereIsNoStoreNoneIsMade(_ adapter: TestedAdapter) async throws {
        try await checkMissingStore(adapter)
    }

    @Test(.enabled(if: PostgreSQLServer.url != nil, "\(PostgreSQLServer.absence)"))
    func whereAServerHasNoStoreNoneIsMade() async throws {
        try await checkMissingStore(try #require(TestedAdapter(rawValue: "postgresql")))
    }

    private func checkMissingStore(_ adapter: TestedAdapter) async throws {
        let location = TestLocation(adapter)
        for _ in 0..<2 {
            let error = await storageError { _ = try await Store.openAsStored { location.make() } }
            #expect(error?.message == OpenRequest.missingStore.message)
        }
        #expect(try location.files().isEmpty)
    }

    @Test func anErrorAboutALimitOfTheTargetNamesNoValue() async throws {
        let location = TestLocation(.sqlite)
        try await ShopStore.fill(location)
        let source = try await Store.openAsStored { location.make(isReadOnly: true) }
        let limits = [Capabilities.Limits(keyByteCount: 4), Capabilities.Limits(cellByteCount: 7)]
        for (limits, name) in zip(limits, ["'Post'", "'Post.title'"]) {
            let error = await storageError {
                _ = try await StoreCopy(from: source) { ReferenceAdapter(limits: limits) }.run()
            }
            #expect(error?.kind == .limitExceeded)
            let message = error?.message ?? ""
            #expect(message.contains(name) && message.contains("(id: text)") && message.contains("'model'"))
            #expect(!message.contains("Title") && !message.contains("p1"))
        }
        try await source.close()
    }

    /// What an adapter loses silently is found before the mark goes.
    @Test func aCopyThatDiffersStaysMarked() async throws {
        let (location, target) = (TestLocation(.sqlite), TestLocation(.sqlite))
        try await ShopStore.fill(location)
        let source = try await Store.openAsStored { location.make(isReadOnly: true) }
        for damage in [LossyAdapter.Damage.lastRow, .lastCell] {
            let error = await storageError {
                _ = try await StoreCopy(from: source) { LossyAdapter(target.make(), damage) }.run()
            }
            #expect(error?.kind == .corruption)
            try await expectIsRefused(target)
        }
        let (copy, _) = try await StoreCopy(from: source) { target.make() }.run()
        #expect(try await copy.content() == source.content())
        try await copy.close()
        try await source.close()
    }
}

/// Acknowledges more of a large commit than it passes on.
private final class LossyAdapter: StorageAdapter {
    enum Damage { case lastRow, lastCell }

    private let base: any StorageAdapter
    private let damage: Damage

    init(_ base: any StorageAdapter, _ damage: Damage) {
        self.base = base
        self.damage = damage
    }

    var capabilities: Capabilities { base.capabilities }
    func open(_ request: OpenRequest) async throws(StorageError) { try await base.open(request) }
    func snapshot() async throws(StorageError) -> any AdapterSnapshot { try await base.snapshot() }
    func close() async throws(StorageError) { try await base.close() }

    func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
        var request = request
        if case .put("Post", let rows, let mode)? = request.operations.first, rows.rowCount > 100 {
            var kept = RowBuffer(columnCount: rows.columnCount)
            for row in 0..<rows.rowCount {
                var cells = Array(rows[row])
                if row == rows.rowCount - 1 {
                    if damage == .lastRow { continue }
                    cells[cells.count - 1] = .null
                }
                kept.append(cells)
            }
            request.operations[0] = .put(entity: "Post", rows: kept, mode: mode)
        }
        return try await base.commit(request)
    }
}
#endif
