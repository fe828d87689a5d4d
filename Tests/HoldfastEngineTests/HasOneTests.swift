import Foundation
import HoldfastAdapterTestSupport
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

/// A team that a project holds the key of.
private struct Team: Model {
    let id: String

    enum CodingKeys: String, ModelKey { case id }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(.field(CodingKeys.id))
    }
}

/// A project: the side of a has-one relation that holds the key itself.
private struct Project: Model {
    let id: String
    var name = ""
    var team: Team?
    var teamID: String?

    enum CodingKeys: String, ModelKey { case id, name, team, teamID }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id), .field(CodingKeys.name),
            .hasOne(
                CodingKeys.team, is: .optional, ofType: Team.self, associatedWith: Team.CodingKeys.id,
                targetNames: ["teamID"]),
            .field(CodingKeys.teamID, is: .optional, ofType: .string))
    }
}

/// The same with a reference, as the original generates it; it has no row codec of its own.
private struct Plan: Model {
    let id: String
    var _team: LazyReference<Team>
    var teamID: String?

    init(id: String, team: Team? = nil, teamID: String? = nil) {
        (self.id, _team, self.teamID) = (id, LazyReference(team), teamID)
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        _team = try values.decodeIfPresent(LazyReference<Team>.self, forKey: .team) ?? LazyReference(nil)
        teamID = try? values.decode(String?.self, forKey: .teamID)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(_team, forKey: .team)
        try container.encode(teamID, forKey: .teamID)
    }

    enum CodingKeys: String, ModelKey { case id, team, teamID }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id),
            .hasOne(
                CodingKeys.team, is: .optional, ofType: Team.self, associatedWith: Team.CodingKeys.id,
                targetNames: ["teamID"]),
            .field(CodingKeys.teamID, is: .optional, ofType: .string))
    }
}

/// A person that holds its passport, found by the passport's person.
private struct Person: Model {
    let id: String
    var passport: Passport?

    enum CodingKeys: String, ModelKey { case id, passport }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [CodingKeys.id]))
        model.fields(
            .field(CodingKeys.id),
            .hasOne(CodingKeys.passport, is: .optional, ofType: Passport.self, associatedWith: Passport.keys.person))
    }
}

/// The one passport of a person.
private struct Passport: Model {
    let id: String
    var person: LazyReference<Person>

    enum CodingKeys: String, ModelKey { case id, person }
    static let keys = CodingKeys.self
    class Path: ModelPath<Passport> {}
    static var rootPath: (any PropertyContainerPath)? { Path() }
    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .belongsTo(keys.person, ofType: Person.self, targetNames: ["personID"]))
    }
}

struct HasOneTests {
    @Test(arguments: EngineAdapter.all)
    func aKeyHeldOnThisSideMayLeadToARecordThatIsSavedLater(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Team.self, Project.self])
        try await store.save(Project(id: "p", teamID: "t"))
        try await store.transaction { try await $0.save(Project(id: "q", teamID: "u")) }
        let early = try #require(try await store.query(Project.self, byId: "p"))
        #expect(early.team == nil && early.teamID == "t")
        try await store.save([Team(id: "t"), Team(id: "u")])
        #expect(try await store.query(Project.self).map(\.team?.id) == ["t", "u"])
        try await store.save(Project(id: "none"))
    }

    @Test(arguments: EngineAdapter.all)
    func theRecordAssignedToAReferenceSetsTheKey(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Team.self, Plan.self])
        try await store.save([Team(id: "t"), Team(id: "u")])
        try await store.save(Plan(id: "p", team: Team(id: "t")))
        var plan = try #require(try await store.query(Plan.self, byId: "p"))
        #expect(plan.teamID == "t")
        #expect(try await plan._team.get()?.id == "t")
        plan._team = LazyReference(Team(id: "u"))
        try await store.save(plan)
        plan = try #require(try await store.query(Plan.self, byId: "p"))
        #expect(plan.teamID == "u")
        // A record that was only read sets nothing.
        _ = try await plan._team.get()
        plan.teamID = nil
        try await store.save(plan)
        #expect(try await store.query(Plan.self, byId: "p")?.teamID == nil)
    }

    @Test(arguments: EngineAdapter.all)
    func aKeyThatIsSetAfterTheReferenceIsKept(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Team.self, Plan.self])
        try await store.save([Team(id: "t"), Team(id: "u")])
        var plan = Plan(id: "p", team: Team(id: "t"))
        for _ in 0..<2 {
            try await store.save(plan)
            #expect(try await store.query(Plan.self, byId: "p")?.teamID == "t")
        }
        for teamID in ["u", nil] {
            plan.teamID = teamID
            try await store.save(plan)
            #expect(try await store.query(Plan.self, byId: "p")?.teamID == teamID)
        }
    }

    @Test(arguments: EngineAdapter.all)
    func aReferenceThatCameAsJSONIsAssignedWithItsRecordOnly(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Team.self, Plan.self])
        try await store.save(Team(id: "t"))
        let json = try JSONEncoder().encode(Plan(id: "q", team: Team(id: "t")))
        try await store.save(try JSONDecoder().decode(Plan.self, from: json))
        #expect(try await store.query(Plan.self, byId: "q")?.teamID == "t")
        let decoder = JSONDecoder()
        decoder.userInfo[.modelLoader] = store
        let key = #"{ "identifiers": [{ "name": "id", "value": "t" }] }"#
        var plan = try decoder.decode(
            Plan.self, from: Data(#"{ "id": "q", "team": \#(key), "teamID": "t" }"#.utf8))
        #expect(try await plan._team.get()?.id == "t")
        plan.teamID = nil
        try await store.save(plan)
        #expect(try await store.query(Plan.self, byId: "q")?.teamID == nil)
    }

    @Test func anImportKeepsARecordWhoseKeyLeadsNowhere() async throws {
        var source = FakeForeignStore()
        source.fields = ["Project": ["id", "name", "teamID"], "Team": ["id"]]
        source.add("Project", [.text("p"), .text("P"), .text("t")])
        source.add("Project", [.text("q"), .text("Q"), .text("gone")])
        source.add("Team", [.text("t")])
        let store = try await EngineAdapter.memory.make().dataStore(models: [Team.self, Project.self])
        let report = try await store.importRecords(from: source)
        #expect(report.rejections.isEmpty)
        #expect(try await store.query(Project.self).map(\.team?.id) == ["t", nil])
    }

    /// Only what belongs to a record is deleted with it.
    @Test(arguments: EngineAdapter.all)
    func theRecordThatHoldsTheKeyIsKept(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Team.self, Project.self])
        try await store.save(Team(id: "t"))
        try await store.save(Project(id: "p", teamID: "t"))
        try await store.delete(Team.self, withId: "t")
        let project = try #require(try await store.query(Project.self, byId: "p"))
        #expect(project.team == nil && project.teamID == "t")
        try await store.save(Project(id: "p", name: "renamed", teamID: "t"))
        try await store.save(Project(id: "p", teamID: "u"))
    }

    /// The service keeps both, so the store does.
    @Test(arguments: EngineAdapter.all)
    func ofTwoThatClaimOneRecordTheFirstByKeyIsRead(adapter: EngineAdapter) async throws {
        let base = adapter.make()
        let store = try await base.dataStore(models: [Person.self, Passport.self])
        try await store.save(Person(id: "x"))
        for id in ["b", "a", "c"] {
            try await store.save(Passport(id: id, person: LazyReference(Person(id: "x"))))
        }
        #expect(try await store.query(Person.self).map(\.passport?.id) == ["a"])
        let request = ChildrenRequest(fields: ["person"], parent: RecordKey("x"), limit: 1)
        #expect(try await store.loadChildren(Passport.self, request).models.map(\.id) == ["a"])
        try await store.delete(Passport.self, withId: "a")
        #expect(try await store.query(Person.self).map(\.passport?.id) == ["b"])
    }

    /// The limit is one of a single question to the adapter.
    @Test(arguments: EngineAdapter.all)
    func moreRecordsAreFoundThanAPredicateMayName(adapter: EngineAdapter) async throws {
        let narrow = WatchedAdapter(adapter.make(), Reads(), predicateNodeCount: 20)
        let store = try await narrow.dataStore(models: [Person.self, Passport.self])
        let persons = (10..<60).map { Person(id: "\($0)") }
        try await store.save(persons)
        try await store.save(persons.map { Passport(id: "p" + $0.id, person: LazyReference($0)) })
        let expected = persons.map { Optional("p" + $0.id) }
        #expect(try await store.query(Person.self).map(\.passport?.id) == expected)
        var live = try store.observeQuery(Person.self).makeAsyncIterator()
        #expect(try await live.next()?.items.map(\.passport?.id) == expected)
    }

    /// Its key is not the one that it is found by, so it comes, moves away, and goes in different ways.
    @Test(arguments: EngineAdapter.all)
    func aLiveQueryShowsTheRecordThatIsFoundByThisOnesKey(adapter: EngineAdapter) async throws {
        let store = try await adapter.make().dataStore(models: [Person.self, Passport.self])
        func save(_ id: String, of person: String) async throws {
            try await store.save(Passport(id: id, person: LazyReference(Person(id: person))))
        }
        try await store.save([Person(id: "x"), Person(id: "y"), Person(id: "z")])
        var live = try store.observeQuery(Person.self, where: Person.CodingKeys.id < "z").makeAsyncIterator()
        func expectNext(_ expected: String) async throws {
            #expect(try await live.next()?.items.map { $0.passport?.id ?? "-" }.joined() == expected)
        }
        try await expectNext("--")
        try await save("b", of: "x")
        try await expectNext("b-")
        try await save("a", of: "x")
        try await expectNext("a-")
        try await save("a", of: "y")
        try await expectNext("ba")
        try await save("b", of: "z")
        try await expectNext("-a")
        try await store.delete(Passport.self, withId: "a")
        try await expectNext("--")
        try await save("b", of: "y")
        try await expectNext("-b")
    }
}
