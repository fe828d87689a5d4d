import HoldfastGraphQL
import HoldfastModel
import HoldfastSchema
import HoldfastStorage
import Testing

@testable import HoldfastSimulation

/// Schemas that are known only at run time, and the rules by which the oracle judges.
@Suite struct SimulatedSchemaTests {
    private static let text = """
        enum Mood { GOOD BAD }
        type Place { x: Float! name: String inner: [Place!] }
        type Area @model @auth(rules: [{ allow: owner }]) {
          country: String! @primaryKey(sortKeyFields: ["number"])
          number: Int!
          name: String!
          visits: [Visit] @hasMany
        }
        type Visit @model @auth(rules: [{ allow: owner }]) {
          mood: Mood place: Place moods: [Mood!] day: AWSDate mail: AWSEmail!
          area: Area @belongsTo
        }
        """
    private let schema: SimulatedSchema
    private let area: SimulatedModel
    private let visit: SimulatedModel

    init() throws {
        schema = try SimulatedSchema(Self.text)
        area = try #require(schema.model("Area"))
        visit = try #require(schema.model("Visit"))
    }

    @Test func aModelHasTheFieldsAndTheKeyOfItsSchema() {
        #expect(area.entity.primaryKey == ["country", "number"])
        #expect(area.fields.map(\.name) == ["name"])
        #expect(visit.fields.map(\.name) == ["mood", "place", "moods", "day", "mail"])
        #expect(visit.links.map(\.names) == [["areaVisitsCountry", "areaVisitsNumber"]])
        #expect(Set(visit.schema.columns).isSuperset(of: ["areaVisitsCountry", "areaVisitsNumber", "createdAt"]))
    }

    @Test func aNewRecordHasAValueOfEachFieldThatFits() throws {
        let made = schema.new(4, of: 1, in: visit, parent: 2, visit.fields.map(\.name), step: 7)
        for (field, value) in zip(visit.entity.fields, made.cells) {
            #expect(try field.type.canonical(value) == value, "\(field.name)")
        }
        func cell(_ name: String) throws -> Value { made.cells[try #require(visit.entity.position(of: name))] }
        #expect(try cell("id") == .text("r1004"))
        #expect(try cell("mood") == .text("BAD"))
        #expect(try cell("moods") == .list([.text("BAD")]))
        let inner = #"{"name":"s7placeinnername","x":7.5}"#
        #expect(try cell("place") == .text(#"{"inner":[\#(inner)],"name":"s7placename","x":7.5}"#))
        #expect(try cell("mail") == .text("s7mail@example.com"))
        let parent = schema.key(2, of: 1, in: area)
        #expect(try [cell("areaVisitsCountry"), cell("areaVisitsNumber")] == parent.components)
        // What another edit might give, too, cannot be distinguished.
        #expect(made.given.map(\.field) == ["day", "mail"])
    }

    @Test func everyPositionHasItsOwnType() {
        #expect(Set((0..<40).map { ObjectIdentifier(RecordTypes.type(at: $0)) }).count == 40)
    }

    private func problems(_ text: String) -> [String] {
        do {
            _ = try SimulatedSchema([Source(text, name: "app.graphql")])
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func whatCannotBeJudgedIsRefusedWithItsPlaceModelAndRule() {
        #expect(
            problems("type A @model @auth(rules: [{ allow: custom }]) { x: Int }")[0].hasPrefix(
                "app.graphql:1:6: error: \"A\" cannot be simulated: the rule { allow: custom } asks a function."))
        for (rules, words) in [
            ("", "no rule lets anyone read it"),
            ("@auth(rules: [{ allow: public, operations: [create] }])", "no rule lets anyone read it"),
            ("@auth(rules: [{ allow: public, operations: [get, list] }])", "only a part of reading"),
        ] { #expect(problems("type A @model \(rules) { x: Int }").first?.contains(words) == true, "\(rules)") }
        #expect(
            problems(
                """
                type A @model @auth(rules: [{ allow: public }]) {
                  x: Int y: Int @auth(rules: [{ allow: public }])
                }
                """
            ).first?.contains("the field \"y\" has rules of its own") == true)
        #expect(
            problems("type A @model(mutations: null) @auth(rules: [{ allow: public }]) { x: Int }").first?.contains(
                "renames or removes operations") == true)
    }

    @Test func aRecordWhoseParentIsHiddenIsRefused() {
        func schema(_ parent: String, _ child: String) -> String {
            """
            type A @model @auth(rules: [\(parent)]) { x: Int bs: [B] @hasMany }
            type B @model @auth(rules: [\(child)]) { x: Int a: A @belongsTo }
            """
        }
        let (owner, all) = ("{ allow: owner }", "{ allow: private }")
        #expect(
            problems(schema(owner, all)).first?.contains("shows records whose \"a\" no rule of \"A\" shows") == true)
        #expect(problems(schema(all, owner)) == [])
        #expect(problems(schema(owner, owner)) == [])
        let (one, two) = ("{ allow: groups, groups: [\"X\"] }", "{ allow: groups, groups: [\"X\", \"Y\"] }")
        #expect(problems(schema(one, two)).count == 1)
        #expect(problems(schema(two, one)) == [])
    }

    @Test func aSchemaWithAMistakeNamesItsPosition() {
        #expect(problems("type A @model {\n  x: Strng\n}").first?.hasPrefix("app.graphql:2:6: error: ") == true)
    }

    // MARK: - Rights

    private func rights(_ rules: String) throws -> (rights: Rights, model: SimulatedModel) {
        let schema = try SimulatedSchema("type A @model @auth(rules: [\(rules)]) { x: Int team: String }")
        return (Rights(schema, seed: 1), try #require(schema.model("A")))
    }

    @Test func anOwnerSeesAndChangesOnlyOwnRecords() throws {
        let (rights, model) = try rights("{ allow: owner }")
        let mine = ["owner": Value.text("sub-1::user-1").withShortOwners]
        #expect(rights.shows(model, mine, to: 1))
        #expect(!rights.shows(model, mine, to: 0))
        #expect(rights.allows(.delete, model, mine, to: 1))
        #expect(!rights.allows(.update, model, mine, to: 2))
        #expect(!rights.shows(model, [:], to: 1))
        #expect(!rights.isOpen)
    }

    @Test func operationsOfARuleCount() throws {
        let (rights, model) = try rights("{ allow: owner }, { allow: private, operations: [read] }")
        let fields = rights.state(of: model, by: 1)
        #expect(rights.shows(model, fields, to: 0))
        #expect(!rights.allows(.update, model, fields, to: 0))
    }

    @Test func groupsOfRulesAndRecordsCount() throws {
        let (fixed, model) = try rights("{ allow: groups, groups: [\"Boss\"] }")
        #expect(fixed.shows(model, [:], to: 0))
        let (named, other) = try rights("{ allow: groups, groupsField: \"team\" }")
        #expect(named.shows(other, ["team": .text("North")], to: 0))
        #expect(!named.shows(other, ["team": .text("Elsewhere")], to: 0))
    }

    /// A device asks in the first mode that the service does not refuse altogether.
    @Test func theFirstModeDecidesWhatADeviceSees() throws {
        let (rights, model) = try rights("{ allow: owner }, { allow: public, operations: [read] }")
        let fields = rights.state(of: model, by: 1)
        #expect(rights.shows(model, fields, to: 1))
        #expect(!rights.shows(model, fields, to: 0))
    }

    @Test func anApplicationWithAKeyMayDoEverything() throws {
        #expect(try rights("{ allow: public }").rights.isOpen)
        #expect(try rights("{ allow: private, provider: iam }").rights.isOpen)
        #expect(try !rights("{ allow: public, operations: [read] }").rights.isOpen)
    }
}
