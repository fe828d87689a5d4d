import HoldfastModel
import Testing

@testable import HoldfastSync

/// Records that break a schema, such as those that were written without the service.
@Suite struct InvalidRecordTests {
    private func world(_ plan: ModelPlan, others: Bool = false) -> World {
        var world = World([plan])
        world.fetch = { request in
            var page = FetchedPage(count: 2, startedAt: 300_000, hasErrors: true, parts: ["p"])
            page.lacksOnlyInvalid = !others
            return .success(page)
        }
        world.start()
        world.run()
        return world
    }

    /// No delta has them either.
    @Test func aFullSyncWithoutThemMovesTheWatermarkAndRemovesNothing() {
        var plan = synced()
        plan.stored.fullSyncAt = 0
        let full = world(plan)
        #expect(full.fetches.map(\.since) == [nil])
        #expect(full.swept.isEmpty)
        #expect(full.plan.models[0].stored.lastSync == 300_000)
        #expect(full.plan.models[0].stored.isTruncated && full.plan.models[0].stored.hasErrors)
    }

    @Test func aDeltaWithoutThemMovesTheWatermark() {
        let delta = world(synced())
        #expect(delta.plan.models[0].stored.lastSync == 300_000)
        #expect(delta.plan.models[0].stored.hasErrors)
        // Another one that is missing may come.
        #expect(world(synced(), others: true).plan.models[0].stored.lastSync == 200_000)
    }

    /// They would come without them each time.
    @Test func recordsWithoutRequiredValuesAreNotReadAgainSoon() {
        for plan in [ModelPlan(name: "Post"), synced()] {
            var world = World([plan])
            world.fetch = { _ in
                var page = FetchedPage(count: 1, startedAt: 300_000, hasFaults: true, parts: ["p"])
                page.lacksOnlyRequiredValues = true
                return .success(page)
            }
            world.start()
            world.run()
            #expect(world.reports == [.incompletePage(model: "Post")])
            #expect(world.plan.models[0].stored.lastSync == 300_000)
            #expect(!world.plan.models[0].stored.hasErrors)
        }
    }

    /// The device can then keep what it could not.
    @Test func aFieldThatIsOptionalFromNowOnHasItsModelReadAgain() throws {
        func shape(isRequired: Bool) throws -> String {
            let fields = [
                ModelField(name: "id", type: .string, isRequired: true),
                ModelField(name: "title", type: .string, isRequired: isRequired),
            ]
            let schema = ModelSchema(
                name: "Memo", attributes: [.primaryKey(fields: ["id"])],
                fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) }))
            return try SyncedModel(schema, among: ["Memo": schema]).shape
        }
        let (before, after) = (try shape(isRequired: true), try shape(isRequired: false))
        #expect(before != after)
    }
}
