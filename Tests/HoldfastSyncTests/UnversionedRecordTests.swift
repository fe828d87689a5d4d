import Testing

@testable import HoldfastSync

/// Records that were written past the service, so that they have no version.
@Suite struct UnversionedRecordTests {
    private func world(_ plan: ModelPlan, others: Bool = false) -> World {
        var world = World([plan])
        world.fetch = { request in
            var page = FetchedPage(count: 2, startedAt: 300_000, hasErrors: true, parts: ["p"])
            page.lacksOnlyUnversioned = !others
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
}
