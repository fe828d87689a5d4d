import HoldfastStorage
import Testing

@testable import HoldfastSync

/// Small scopes, in every order in which answers can arrive.
@Suite struct EnumerationTests {
    /// Goes through every order of answers, and hands what is left in the end to `check`.
    private func everyOrder(
        _ world: World, limit: Int = 200_000, among: (SyncEffect<String>) -> Bool = { _ in true },
        each: (World) -> Void, end check: (World) -> Void
    ) -> Int {
        var count = 0
        var stack = [world]
        while let next = stack.popLast() {
            each(next)
            if next.pending.isEmpty {
                count += 1
                check(next)
                guard count < limit else { return count }
                continue
            }
            for index in next.pending.indices {
                var copy = next
                copy.answer(at: index)
                // What is not enumerated is answered at once.
                copy.run(unless: among)
                stack.append(copy)
            }
        }
        return count
    }

    private static func isLongWork(_ effect: SyncEffect<String>) -> Bool {
        switch effect {
        case .fetch, .apply, .sweep, .settle, .sendMutation, .check, .ask: true
        default: false
        }
    }

    private func expectOneCommitAtATime(_ world: World) {
        if world.pending.count(where: \.isOfStore) > 1 { Issue.record("two commits at once: \(world.pending)") }
    }

    @Test func twoModelsAndTheirPagesComeInAnyOrder() {
        var world = World([ModelPlan(name: "Blog"), ModelPlan(name: "Post")])
        world.fetch = { request in
            .success(FetchedPage(count: 1, nextToken: request.token == nil ? "t" : nil, startedAt: 9, parts: ["p"]))
        }
        world.start()
        world.run(unless: Self.isLongWork)
        let count = everyOrder(world, among: Self.isLongWork, each: expectOneCommitAtATime) { end in
            let isRight =
                end.hub.last == .ready && end.swept.sorted() == ["Blog", "Post"]
                && end.applied.count(where: { $0.page != nil }) == 4
                && end.plan.models.allSatisfy { $0.stored.lastSync == 9 && $0.stored.resume == nil }
            if !isRight { Issue.record("\(end.log)") }
        }
        #expect(count > 100)
    }

    @Test func changesArriveAtAnyPointOfAFullSyncAndAreAppliedAfterIt() {
        var world = World()
        world.start()
        world.run(unless: Self.isLongWork)
        // The change comes after any number of answers.
        for steps in 0..<8 {
            var course = world
            for _ in 0..<steps where !course.pending.isEmpty { course.answer(at: 0) }
            course.deliver(change("a", 2, at: 20))
            course.deliver(change("a", 1, at: 10))
            course.run()
            let changes = course.applied.filter { !$0.changes.isEmpty }
            #expect(changes.flatMap(\.changes).map(\.content).contains("a@2"))
            let page = course.applied.firstIndex { $0.page != nil } ?? .max
            let first = course.applied.firstIndex { !$0.changes.isEmpty } ?? .min
            #expect(page < first)
        }
    }

    @Test func mutationsAreAnsweredInAnyOrderAndNoneIsLostOrSentTwice() {
        var world = World()
        world.outbox = [
            entry(1, .create, "Post", "p"), entry(2, .create, "Comment", "c"),
            entry(3, .update, "Blog", "b"), entry(4, .update, "Post", "p"),
        ]
        world.start()
        world.run { effect in
            if case .sendMutation = effect { true } else { false }
        }
        let count = everyOrder(world, among: Self.isLongWork, each: expectOneCommitAtATime) { end in
            let order = end.mutations
            let isRight =
                order.sorted() == [1, 2, 3, 4] && order.last == 4 && end.outbox.isEmpty
                && (1...4).allSatisfy { end.resolutions($0) == [.confirmed("remote \($0)")] }
            if !isRight { Issue.record("\(end.log)") }
        }
        #expect(count >= 10)
    }

    /// At every point of a start something ends it, and the next attempt still comes to the same end.
    @Test(arguments: [
        "socket lost", "network lost", "fence lost", "stopped", "cleared", "socket and network lost",
    ]) func anInterruptionAtAnyPointDoesNotChangeTheResult(disturbance: String) {
        var steps = 0
        while true {
            var world = World([ModelPlan(name: "Blog"), synced("Post", parents: ["Blog"])])
            world.fetch = { request in
                .success(
                    FetchedPage(count: 1, nextToken: request.token == nil ? "t" : nil, startedAt: 9, parts: ["p"]))
            }
            world.outbox = [entry(1), entry(2, .update, "Post", "1")]
            world.start()
            var isOver = false
            for _ in 0..<steps {
                guard !world.pending.isEmpty else {
                    isOver = true
                    break
                }
                world.answer(at: 0)
                expectOneCommitAtATime(world)
            }
            switch disturbance {
            case "socket lost": world.send(.socketLost(world.socket))
            case "network lost":
                world.send(.network(isUp: false))
                world.send(.network(isUp: true))
            case "fence lost":
                if let index = world.pending.firstIndex(where: { if case .apply = $0 { true } else { false } }),
                    case .apply(let id, _) = world.pending[index]
                {
                    world.pending.remove(at: index)
                    world.send(.applied(id, .failure(.fenceLost)))
                }
            case "stopped":
                world.send(.command(CommandID(number: 2), .stop))
                world.send(.command(CommandID(number: 3), .start))
            case "cleared":
                world.send(.command(CommandID(number: 2), .clear))
                world.send(.command(CommandID(number: 3), .start))
            default:
                world.send(.socketLost(world.socket))
                world.send(.network(isUp: false))
                world.send(.network(isUp: true))
            }
            // Late answers of what was given up come last.
            world.check = { _ in
                .found(FoundRecord(isDeleted: false, content: "ours"), [.isAboveBase, .equalsSent])
            }
            while let index = world.pending.indices.last {
                world.answer(at: index)
                expectOneCommitAtATime(world)
            }
            world.pass(.seconds(40))
            #expect(world.core.session.state == .live, "after \(steps) answers")
            #expect(world.core.models.values.allSatisfy { $0.state == .synced }, "after \(steps) answers")
            #expect(world.outbox.isEmpty, "after \(steps) answers")
            #expect(world.plan.models.allSatisfy { $0.stored.resume == nil }, "after \(steps) answers")
            // What was sent once and not known to have failed is never sent again unseen.
            for position in [Int64(1), 2] where world.mutations.count(where: { $0 == position }) > 1 {
                Issue.record("entry \(position) was sent twice after \(steps) answers")
            }
            if isOver { break }
            steps += 1
        }
        #expect(steps > 15)
    }

    /// No course of events of this length makes the core ask for two commits at once, or answer a command twice.
    @Test func randomSequencesOfEventsKeepTheRules() {
        var seed: UInt64 = 1
        func random(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((seed >> 33) % UInt64(bound))
        }
        for _ in 0..<400 {
            var world = World([ModelPlan(name: "Blog"), synced("Post", parents: ["Blog"])])
            world.outbox = (1...4).map { entry($0, .update, "Post", "\($0 % 2)") }
            var commands = 0
            for _ in 0..<120 {
                switch random(14) {
                case 0: world.send(.socketLost(world.socket))
                case 1: world.send(.network(isUp: random(3) > 0))
                case 2:
                    commands += 1
                    let command: SyncCommand = [.start, .start, .stop, .clear][random(4)]
                    world.send(.command(CommandID(number: commands), command))
                case 3: world.pass(.milliseconds(random(40_000)), unless: { _ in true })
                case 4: world.deliver(change("k\(random(3))", Int64(random(5)), at: Int64(random(50))))
                case 5: world.storeFailure = random(4) == 0 ? .failed("busy") : nil
                case 6: world.claim = random(4) == 0 ? .taken(.seconds(5)) : .held
                default: if !world.pending.isEmpty { world.answer(at: random(world.pending.count)) }
                }
                expectOneCommitAtATime(world)
            }
            // Faults off: everything comes to rest, alive.
            world.storeFailure = nil
            world.claim = .held
            world.send(.network(isUp: true))
            world.run()
            commands += 1
            world.send(.command(CommandID(number: commands), .start))
            world.run()
            world.pass(.seconds(200))
            let numbers = world.log.compactMap { if case .answer(let id, _) = $0 { id.number } else { nil } }
            #expect(numbers == Array(1..<(commands + 1)))
            #expect(world.core.session.state == .live)
            #expect(world.core.models.values.allSatisfy { $0.state == .synced })
            #expect(world.outbox.isEmpty)
        }
    }
}
