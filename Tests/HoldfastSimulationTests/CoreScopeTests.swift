import HoldfastServer
import Testing

@testable import HoldfastSimulation

/// The cores alone, in every order of delivery of a small scope.
@Suite struct CoreScopeTests {
    @Test(arguments: [ConflictStrategy.automerge, .optimisticConcurrency], [false, true])
    func everySequenceOfEventsKeepsTheGuarantees(strategy: ConflictStrategy, retriesLocal: Bool) throws {
        let search = try CoreScope(strategy: strategy, retriesLocal: retriesLocal).search(choices: 32)
        #expect(search.problem == nil)
        #expect(search.choices == 32 && search.states > 10_000)
    }

    /// The same without putting changes on top of what the service says.
    @Test func everySequenceOfEventsKeepsTheGuaranteesWithoutRebases() throws {
        let search = try CoreScope(strategy: .automerge, rebases: false).search(choices: 32)
        #expect(search.problem == nil)
    }

    /// A client that forgets a change of its application is found.
    @Test func aLostChangeIsFound() throws {
        let scope = try CoreScope(strategy: .optimisticConcurrency)
        var world = CoreWorld(scope, edits: [[.init(record: 0, kind: .title)], [], []])
        #expect(world.take(.edit(client: 0)) == nil)
        world.forgetChanges(of: 0)
        #expect(world.steps.isEmpty)
        #expect(world.finalProblem == "client 0: the change of title to 1 is lost")
    }
}
