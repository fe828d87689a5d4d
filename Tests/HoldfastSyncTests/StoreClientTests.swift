import HoldfastEngine
import HoldfastInMemory
import HoldfastModel
import HoldfastStorage
import HoldfastSyncTestSupport
import Testing

@testable import HoldfastSync

@Suite struct StoreClientTests {
    private func content(_ title: String, _ version: Int64) -> SyncContent {
        let record = RemoteRecord(
            key: RecordKey("n"), row: [.text("n"), .text(title), .null, .null], version: version,
            lastChangedAt: version)
        return SyncContent(model: "Note", records: [record])
    }

    /// Settles a change of the title of a note that was at version 1, or its deletion.
    private func settle(
        _ resolution: Resolution<SyncContent>, isDeletion: Bool = false, times: Int = 1
    ) async throws -> SettleReport<SyncContent> {
        let store = try await DataStore.open(InMemoryAdapter(), models: [Note.self, Remark.self])
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        _ = try await store.apply(RemoteBatch(model: "Note", records: content("old", 1).records), fence)
        if isDeletion {
            try await store.delete(Note.self, withId: "n")
        } else {
            try await store.save(Note(id: "n", title: "mine"))
        }
        let outgoing = try #require(try await store.take(1, fence).first)
        let client = StoreClient(store: store, models: [:], holder: "here")
        var report = try await client.settle([(outgoing, resolution)], generations: [:], fence).get()
        for _ in 1..<times {
            report = try await client.settle([(outgoing, resolution)], generations: [:], fence).get()
        }
        try await store.close()
        return report
    }

    /// The answer shows what another device has made of the record, whether or not an event does.
    @Test func whatAnAnswerShowsOfOthersIsReceived() async throws {
        let lost = try await settle(.dead(.overruled, remote: content("theirs", 2)))
        #expect(lost.received.map(\.model) == ["Note"])
        #expect(lost.received.flatMap(\.changes).map { [$0.key, "\($0.version ?? 0)"] } == [["n", "2"]])
        let gone = try await settle(.gone(.deletedRemotely))
        #expect(gone.received.flatMap(\.changes).map(\.kind) == [.deleted])
    }

    @Test func whatOnlyThisDeviceHasChangedIsNotReceived() async throws {
        let confirmed = try await settle(.confirmed(content("mine, as the service writes it", 2)))
        #expect(confirmed.received.isEmpty && confirmed.processed.count == 1)
        #expect(try await settle(.dead(.unauthorized, remote: nil)).received.isEmpty)
    }

    @Test func whatTheServiceHasCarriedOutIsProcessed() async throws {
        for times in 1...2 {
            let update = try await settle(.confirmed(content("mine", 2)), times: times)
            #expect(update.processed.map(\.records) == [content("mine", 2).records])
            // The service need not show what it has deleted.
            let deletion = try await settle(.done(nil), isDeletion: true, times: times)
            #expect(deletion.processed.map(\.records) == [[]])
            #expect(deletion.processed.map(\.mutation?.key) == ["n"])
            #expect(deletion.processed.map(\.deletedRow) == [content("old", 1).records[0].row])
        }
    }

    /// The service has merged an update and kept its own values, which only the update has changed.
    @Test func whatIsSentAgainIsNotProcessed() async throws {
        for times in 1...2 {
            let report = try await settle(.confirmed(content("old", 3)), times: times)
            #expect(report.processed.isEmpty && report.deadLetters.isEmpty)
        }
    }

    /// The answer alone looks as if the service had carried it out.
    @Test func whatTheStoreGivesUpIsNotProcessed() async throws {
        // The outcome of the first commit may be unknown.
        for times in 1...2 {
            let merged = try await settle(.confirmed(content("theirs", 3)), times: times)
            #expect(merged.processed.isEmpty && merged.deadLetters.count == 1)
            let kept = try await settle(.confirmed(content("old", 2)), isDeletion: true, times: times)
            #expect(kept.processed.isEmpty && kept.deadLetters.count == 1)
        }
    }

    /// It waited for a creation that was taken back before it was sent.
    @Test func whatATakeAppliesIsReceived() async throws {
        let store = try await DataStore.open(InMemoryAdapter(), models: [Note.self, Remark.self])
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        try await store.save(Note(id: "n", title: "mine"))
        let batch = RemoteBatch(model: "Note", records: content("theirs", 1).records)
        #expect(try await store.apply(batch, fence).shelvedCount == 1)
        try await store.delete(Note.self, withId: "n")
        let client = StoreClient(store: store, models: [:], holder: "here")
        let first = try await client.take(8, includesSent: false, identity: nil, fence).get()
        #expect(first.mutations.isEmpty && first.received.map(\.model) == ["Note"])
        #expect(first.received.flatMap(\.changes).map(\.kind) == [.created])
        let second = try await client.take(8, includesSent: false, identity: nil, fence).get()
        #expect(second.received.isEmpty)
        try await store.close()
    }

    /// The remark comes back with the note that the service keeps.
    @Test func whatATakeTakesBackIsReceivedAndMoreMayCome() async throws {
        let store = try await DataStore.open(InMemoryAdapter(), models: [Note.self, Remark.self])
        let fence = try #require(try await store.claim("here", until: 10, now: 0))
        let remark = Remark(id: "r", text: "so", note: LazyReference(Note(id: "n", title: "old")))
        let record = RemoteRecord(
            key: RecordKey("r"), row: Array(try remark.row()[0]), version: 1, lastChangedAt: 1)
        _ = try await store.apply(RemoteBatch(model: "Note", records: content("old", 1).records), fence)
        _ = try await store.apply(RemoteBatch(model: "Remark", records: [record]), fence)
        try await store.delete(Note.self, withId: "n")
        let schemas = ["Note": Note.schema, "Remark": Remark.schema]
        let models = try schemas.mapValues { try SyncedModel($0, among: schemas) }
        let client = StoreClient(store: store, models: models, holder: "here")
        let first = try await client.take(8, includesSent: false, identity: nil, fence).get()
        #expect(first.mutations.map(\.id.key) == ["n"] && !first.hasMore)
        let outgoing = try #require(first.mutations.first)
        _ = try await client.settle([(outgoing, .dead(.unauthorized, remote: nil))], generations: [:], fence).get()
        let second = try await client.take(8, includesSent: false, identity: nil, fence).get()
        #expect(second.mutations.isEmpty && second.hasMore)
        #expect(second.received.flatMap(\.changes).map { "\($0.kind) \($0.key)" } == ["created r"])
        let third = try await client.take(8, includesSent: false, identity: nil, fence).get()
        #expect(third.mutations.isEmpty && third.received.isEmpty && !third.hasMore)
        #expect(try await store.query(Remark.self).map(\.id) == ["r"])
        try await store.close()
    }

    @Test func aRecordThatCannotBeStoredIsNotSentAgain() async throws {
        let report = try await settle(.resend(onto: content("theirs", 2), replacing: content("\u{0}", 2)))
        #expect(report.deadLetters.values.map(\.errorType) == ["storage.unrepresentable"])
        // The one of the service can be stored.
        #expect(report.received.flatMap(\.changes).map(\.version) == [2])
        #expect(report.isOutboxEmpty)
    }
}
