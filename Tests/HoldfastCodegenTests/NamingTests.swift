import HoldfastGraphQL
import Testing

@testable import HoldfastCodegen
@testable import HoldfastSchema

@Suite struct NamingTests {
    @Test(
        arguments: [
            ("Person", "People"), ("News", "News"), ("Media", "Media"), ("Box", "Boxes"), ("City", "Cities"),
            ("Sheep", "Sheep"), ("Analysis", "Analyses"), ("Fish", "Fish"), ("Status", "Statuses"),
            ("UserFollowing", "UserFollowings"), ("Child", "Children"), ("Leaf", "Leaves"), ("Hero", "Heroes"),
            ("Toy", "Toys"), ("Series", "Series"), ("Sensor2", "Sensor2s"), ("Photo", "Photos"), ("Bus", "Buses"),
            ("Address", "Addresses"), ("Woman", "Women"), ("Foot", "Feet"), ("BigFoot", "BigFoots"),
            ("Library", "Libraries"), ("Shelf", "Shelves"), ("Index", "Indices"), ("Quiz", "Quizzes"),
            ("Criterion", "Criteria"), ("Datum", "Data"), ("Mouse", "Mice"), ("Knife", "Knives"), ("Data", "Data"),
            ("Equipment", "Equipment"), ("Cactus", "Cacti"), ("Alias", "Aliases"), ("Stomach", "Stomaches"),
            ("Glass", "Glasses"), ("Posts", "Posts"), ("Information", "Information"), ("Human", "Humans"),
            ("Canvas", "Canvas"), ("My", "Mies"), ("Passerby", "Passersby"),
        ])
    func pluralsAreEnglish(singular: String, plural: String) {
        #expect(Plurals.plural(of: singular) == plural)
    }

    /// What pluralize 8.0.0 makes of names that do not have their capitals at the beginning alone.
    @Test(
        arguments: [
            ("FAQ", "FAQS"), ("CITY", "CITIES"), ("BOX", "BOXES"), ("MyBOX", "MyBOXES"), ("myBoX", "myBoXES"),
            ("PERSON", "PEOPLE"), ("VipPERSON", "VipPEOPLE"), ("FOOT", "FEET"), ("FEET", "FEET"), ("FeEt", "Feet"),
            ("STATUS", "STATUSES"), ("HTTPStatus", "HTTPStatuses"), ("WOMAN", "WOMEN"), ("KNIFE", "KNIVES"),
            ("QtY", "Qties"), ("PoSh", "PoShes"), ("SENSOR2", "SENSOR2s"), ("SENSOR_", "SENSOR_s"), ("A", "AS"),
            ("I", "WE"), ("URLS", "URLS"), ("FAQs", "FAQs"), ("NEWS", "NEWS"), ("THOU", "YOU"), ("city", "cities"),
        ])
    func pluralsHaveTheCaseOfTheName(singular: String, plural: String) {
        #expect(Plurals.plural(of: singular) == plural)
    }

    @Test(
        arguments: [
            ("RED", "red"), ("IN_WORK", "inWork"), ("highGloss", "highGloss"), ("HTTPStatus", "httpStatus"),
            ("LEVEL_1", "level_1"), ("A1", "a1"), ("done", "done"),
        ])
    func casesOfEnumsAreInCamelCase(name: String, expected: String) {
        #expect(Names.camelCase(name) == expected)
    }

    @Test(
        arguments: [
            ("POST_STATUS", "PostStatus"), ("USState", "UsState"), ("mood", "Mood"), ("PostStatus", "PostStatus"),
            ("Level_1", "Level_1"), ("L10N", "L10N"), ("_mood", "Mood"), ("_1", "_1"), ("_", "_"),
        ])
    func typesOfEnumsAreInPascalCase(name: String, expected: String) {
        #expect(SwiftNames.enumType(name) == expected)
    }

    @Test func foreignKeysAreNamedAfterModelAndField() {
        #expect(Names.foreignKey("Post", "comments", "id") == "postCommentsId")
        #expect(Names.joinKeys("Track", ["region", "number"]) == ["trackRegion", "tracknumber"])
    }

    static func version(_ schema: String) throws -> String {
        VersionHash.version(of: try GraphBuilder.graph(of: [Source(schema)]))
    }

    @Test func theVersionChangesWithWhatIsStored() throws {
        let version = try Self.version("type A @model { x: Int } enum E { A }")
        #expect(version.count == 32)
        #expect(try Self.version("\"Said.\" type A @model @auth(rules: [{ allow: owner }]) { x: Int }") == version)
        #expect(try Self.version("type A @model { x: Int! }") != version)
        #expect(try Self.version("type A @model { x: Float }") != version)
        #expect(try Self.version("type A @model { x: Int @index(name: \"byX\") }") != version)
        #expect(try Self.version("type A @model { x: Int } type B @model { x: Int }") != version)
    }

    @Test func groupsThatLeadToEachOtherAreFound() {
        let edges = ["a": ["b"], "b": ["c", "d"], "c": ["a"], "d": ["d"], "e": ["a"]]
        #expect(
            Cycles.components(of: edges, order: ["a", "b", "c", "d", "e"]).sorted { $0[0] < $1[0] } == [
                ["a", "b", "c"], ["d"],
            ])
        let chain = Dictionary(uniqueKeysWithValues: (0..<50_000).map { ("\($0)", ["\($0 + 1)"]) })
        #expect(Cycles.components(of: chain, order: (0..<50_000).map(String.init)).isEmpty)
    }
}
