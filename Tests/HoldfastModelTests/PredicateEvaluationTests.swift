import Foundation
import GeneratedModels
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct PredicateEvaluationTests {
    let post = Post(title: "Tides", rating: 4, status: .draft, tags: ["sea", "moon"], blog: Blog(id: "b1", name: "B"))
    let keys = Post.keys

    @Test func operatorsAreEvaluatedAsByAStore() {
        let truths: [any QueryPredicate] = [
            keys.rating > 3, keys.rating <= 4, keys.rating == 4, keys.rating.between(start: 4, end: 9),
            keys.title.beginsWith("Ti"), keys.title ~= "de", keys.tags.contains("moon"),
            keys.status == PostStatus.draft,
            keys.status != PostStatus.published, keys.createdAt == nil, keys.createdAt.attributeExists(false),
            keys.createdAt != Temporal.DateTime.now(), keys.tags.notContains("sun"), keys.blog == "b1",
            field("blogID") == "b1", keys.rating > 3.5, !(keys.rating == 5) && keys.title == "Tides",
            keys.rating == 5 || not(keys.title == "Waves"), QueryPredicateConstant.all, QueryPredicateGroup(),
        ]
        for (index, predicate) in truths.enumerated() {
            #expect(predicate.evaluate(target: post), "\(index)")
            #expect(predicate.evaluate(target: post.eraseToAnyModel()), "\(index)")
            #expect(!QueryPredicateGroup(type: .not, predicates: [predicate]).evaluate(target: post), "\(index)")
        }
    }

    @Test func whatAStoreWouldRefuseIsUnequal() {
        #expect(!(keys.rating == "four").evaluate(target: post))
        #expect((keys.rating != "four").evaluate(target: post))
        #expect(!(field("nothing") > 1).evaluate(target: post))
        #expect((field("nothing").notContains("x")).evaluate(target: post))
    }

    @Test func textIsParsedWhenComparedWithDatesAndTimes() throws {
        var sample = Sample(id: "s")
        sample.day = try Temporal.Date(iso8601String: "2020-10-10")
        sample.time = try Temporal.Time(iso8601String: "07:46:00")
        sample.instant = try Temporal.DateTime(iso8601String: "2020-10-10T12:00:00.000Z")
        let keys = Sample.keys
        let truths: [any QueryPredicate] = [
            keys.day == "2020-10-10", keys.day == "2020-10-10Z", keys.day > "2020-10-09",
            keys.day <= "2020-10-10+0100",
            keys.time == "07:46", keys.time < "07:46:00.001", keys.instant == "2020-10-10T12:00",
            keys.instant == "2020-10-10T14:00:00+02",
            keys.instant.between(start: "2020-10-10T12:00", end: "2020-10-11"),
        ]
        for (index, predicate) in truths.enumerated() {
            #expect(try predicate.isSatisfied(by: sample), "\(index)")
        }
        for predicate in [keys.day > "soon", keys.day > "2020", keys.time > "noon", keys.instant > "2020-10"] {
            #expect { try predicate.isSatisfied(by: sample) } throws: {
                ($0 as? StorageError)?.kind == .unrepresentable
            }
        }
    }

    @Test func listsAreSearchedForTheParsedText() throws {
        var sample = Sample(id: "s")
        sample.numbers = [1, 5, nil]
        let numbers = Sample.keys.numbers
        #expect(try numbers.contains("5").isSatisfied(by: sample))
        #expect(try !numbers.contains("4").isSatisfied(by: sample))
        #expect(try numbers.notContains("4").isSatisfied(by: sample))
        #expect { try numbers.contains("five").isSatisfied(by: sample) } throws: {
            ($0 as? StorageError)?.kind == .unrepresentable
        }
        let entity = EntitySchema(
            "List",
            fields: [
                FieldSchema("key", .id, isRequired: true),
                FieldSchema("truths", .list(of: .boolean, elementsAreRequired: false)),
                FieldSchema("ratios", .list(of: .float, elementsAreRequired: false)),
            ],
            primaryKey: ["key"])
        let cases: [(String, String, Value)] = [
            ("truths", "true", .boolean(true)), ("truths", "1", .text("1")), ("ratios", "1.5", .double(1.5)),
            ("key", "1", .text("1")),
        ]
        for (field, text, value) in cases {
            let predicate = Predicate.contains(field, .text(text))
            #expect(predicate.convertingOperands(for: entity) == .contains(field, value))
        }
    }

    @Test(arguments: [
        "2020-10-09T23:59:59.999Z", "2020-10-10T00:00:00.000Z", "2020-10-10T01:00:00.000+02:00",
        "2020-10-10T12:00:00.000Z", "2020-10-10T23:59:59.999Z", "2020-10-11T00:00:00.000Z",
    ])
    func aBareDayIsComparedWithInstantsAsTheirTextsAre(instant: String) throws {
        var sample = Sample(id: "s")
        sample.instant = try Temporal.DateTime(iso8601String: instant)
        let text = try #require(sample.instant).iso8601FormattedString(format: .full)
        let (key, day, next) = (Sample.keys.instant, "2020-10-10", "2020-10-11")
        #expect(try (key > day).isSatisfied(by: sample) == (text > day))
        #expect(try (key >= day).isSatisfied(by: sample) == (text >= day))
        #expect(try (key < day).isSatisfied(by: sample) == (text < day))
        #expect(try (key <= day).isSatisfied(by: sample) == (text <= day))
        #expect(try (key == day).isSatisfied(by: sample) == (text == day))
        #expect(try (key != day).isSatisfied(by: sample) == (text != day))
        #expect(try key.between(start: day, end: next).isSatisfied(by: sample) == (day...next).contains(text))
        sample.instant = nil
        #expect(try (key != day).isSatisfied(by: sample))
        for predicate in [key == day, key > day, key < day, key.between(start: day, end: next)] {
            #expect(try !predicate.isSatisfied(by: sample))
        }
    }

    @Test func nestedAndIntegerKeysAreCompared() throws {
        let item = Item(title: "T", days: [.monday], shelf: Shelf(id: "s", label: "S", capacity: 1, isOpen: true))
        #expect((Item.keys.shelf == "s").evaluate(target: item))
        #expect(Item.keys.days.contains("MONDAY").evaluate(target: item))
        let booking = Booking(day: try Temporal.Date(iso8601String: "2026-11-21"), room: Room(building: "B", number: 7))
        #expect((field("roomBookingsNumber") >= 7).evaluate(target: booking))
    }

    @Test func pathsAreFollowedThroughWhatIsAtHand() throws {
        let home = Address(street: "Quay", floors: [1, 2], position: Position(latitude: 1.5, longitude: 2))
        let item = Item(
            title: "T", origin: home, history: [nil, Address(street: "Lane")],
            shelf: Shelf(id: "s", label: "S", capacity: 1, isOpen: true))
        let truths: [any QueryPredicate] = [
            field("origin.street") == "Quay", field("origin.position.latitude") > 1, field("origin.street") != "Lane",
            field("history.street") == "Lane", field("history.street") == nil, field("shelf.label") == "S",
            !(field("shelf.capacity") > 1) && field("origin.position.longitude").attributeExists(true),
        ]
        for (index, predicate) in truths.enumerated() {
            #expect(try predicate.isSatisfied(by: item), "\(index)")
            #expect(predicate.evaluate(target: item.eraseToAnyModel()), "\(index)")
            #expect(try !not(QueryPredicateGroup(predicates: [predicate])).isSatisfied(by: item), "\(index)")
        }
        #expect(try (field("blog.name") == "B").isSatisfied(by: post))
        #expect(try (field("blog.name") != "B").isSatisfied(by: Post(title: "T")))
        let posts = Blog(id: "b", name: "B", posts: [post, Post(title: "Waves")])
        #expect(try (field("posts.title") == "Waves").isSatisfied(by: posts))
        #expect(try field("posts").attributeExists(true).isSatisfied(by: posts))
        #expect(try !field("posts").attributeExists(true).isSatisfied(by: Blog(id: "b", name: "B")))
        #expect(try (field("posts") == post.id).isSatisfied(by: posts))
    }

    @Test func aRelationThatWasNotLoadedIsAnError() throws {
        let row = try post.row()
        let loaded = try Post(row: RowReader(row, row: 0))
        let blog = try Blog(row: RowReader(Blog(id: "b", name: "B").row(), row: 0))
        for (model, path) in [(loaded, "blog.name"), (blog, "posts.title"), (blog, "posts")] as [(any Model, String)] {
            #expect { try (field(path) == "B").isSatisfied(by: model) } throws: {
                ($0 as? ModelError)?.kind == .missingRelation
            }
            #expect(!(field(path) == "B").evaluate(target: model))
            #expect((field(path) != "B").evaluate(target: model))
        }
        #expect { try (field("title.x") == "B").isSatisfied(by: post) } throws: {
            ($0 as? ModelError)?.kind == .invalidSchema
        }
    }

    @Test func joiningChangesNeitherSide() {
        let both = keys.rating > 1 && keys.rating < 9
        let all = both && keys.title == "x"
        #expect(both.predicates.count == 2)
        #expect(all.predicates.count == 3)
    }

    @Test func predicatesAreWrittenAsJSON() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func json(_ predicate: any QueryPredicate) throws -> String {
            String(decoding: try encoder.encode(predicate), as: UTF8.self)
        }
        #expect(try json(keys.rating == 4) == #"{"field":"rating","operator":{"type":"equals","value":4}}"#)
        #expect(try json(keys.rating == nil) == #"{"field":"rating","operator":{"type":"equals"}}"#)
        #expect(
            try json(keys.rating.between(start: 1, end: 2))
                == #"{"field":"rating","operator":{"end":2,"start":1,"type":"between"}}"#)
        #expect(
            try json(keys.title == "a" || keys.title.attributeExists(true))
                == #"{"predicates":[{"field":"title","operator":{"type":"equals","value":"a"}},"#
                + #"{"field":"title","operator":{"type":"attributeExists","value":true}}],"type":"or"}"#)
        #expect(try json(QueryPredicateConstant.all) == #"{"all":{}}"#)
    }

    @Test func operatorsCompare() {
        #expect(QueryOperator.notContains("a") == .notContains("a"))
        #expect(QueryOperator.equals(1) != .equals(2))
        #expect(QueryOperator.equals(nil) == .equals(nil))
        #expect(QueryOperator.between(start: 1, end: 2) != .between(start: 1, end: 3))
    }

    @Test func sortsShowTheirInputs() {
        let inputs = QuerySortInput.by(.ascending(keys.title), .descending(keys.rating)).inputs
        guard case .ascending(let first) = inputs[0], case .descending(let second) = inputs[1] else {
            Issue.record("another direction")
            return
        }
        #expect([first.stringValue, second.stringValue] == ["title", "rating"])
    }
}
