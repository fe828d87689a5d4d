import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

@Suite struct PredicateLoweringTests {
    static let keys = Post.keys

    @Test(
        arguments: [
            (keys.rating == 4, .compare("rating", .equal, .integer(4))),
            (keys.rating == nil, .compare("rating", .equal, .null)),
            (keys.rating != 4, .compare("rating", .notEqual, .integer(4))),
            (keys.rating != nil, .compare("rating", .notEqual, .null)),
            (keys.rating < 4, .compare("rating", .less, .integer(4))),
            (keys.rating <= 4, .compare("rating", .lessOrEqual, .integer(4))),
            (keys.rating > 4, .compare("rating", .greater, .integer(4))),
            (keys.rating >= 4.5, .compare("rating", .greaterOrEqual, .double(4.5))),
            (keys.status == PostStatus.draft, .compare("status", .equal, .text("DRAFT"))),
            (keys.status != PostStatus.draft, .compare("status", .notEqual, .text("DRAFT"))),
            (keys.rating.between(start: 1, end: 3), .between("rating", .integer(1), .integer(3))),
            (keys.title.beginsWith("a%"), .beginsWith("title", "a%")),
            (keys.title.contains("b"), .contains("title", .text("b"))),
            (keys.tags.contains("b"), .contains("tags", .text("b"))),
            (keys.title.notContains("b"), .not(.contains("title", .text("b")))),
            (keys.title ~= "b", .contains("title", .text("b"))),
            (keys.title.attributeExists(true), .compare("title", .notEqual, .null)),
            (keys.title.attributeExists(false), .compare("title", .equal, .null)),
            (field("title") == "x", .compare("title", .equal, .text("x"))),
            (field("title") == true, .compare("title", .equal, .boolean(true))),
        ] as [(QueryPredicateOperation, Predicate)])
    func everyOperatorHasItsStorageForm(operation: QueryPredicateOperation, predicate: Predicate) throws {
        #expect(try Post.schema.lowered(operation) == predicate)
    }

    @Test func datesKeepTheirForm() throws {
        let day = try Temporal.Date(iso8601String: "2026-01-02")
        let instant = try Temporal.DateTime(iso8601String: "2026-01-02T03:04:05+02:00")
        let time = try Temporal.Time(iso8601String: "03:04")
        #expect(try Sample.schema.lowered(Sample.keys.day == day) == .compare("day", .equal, .date(day.day)))
        #expect(
            try Sample.schema.lowered(Sample.keys.instant < instant)
                == .compare("instant", .less, .timestamp(instant.timestamp)))
        #expect(try Sample.schema.lowered(Sample.keys.time > time) == .compare("time", .greater, .time(time.clockTime)))
    }

    static let (a, b, c) = (field("a") == 1, field("b") == 2, field("c") == 3)
    static let (low, lowB, lowC) = (one("a", 1), one("b", 2), one("c", 3))
    static func one(_ name: String, _ value: Int64) -> Predicate { .compare(name, .equal, .integer(value)) }

    @Test(
        arguments: [
            (a && b, .and([low, lowB])),
            (a || b, .or([low, lowB])),
            (a && b && c, .and([low, lowB, lowC])),
            (a || b || c, .or([low, lowB, lowC])),
            (a && b || c, .or([.and([low, lowB]), lowC])),
            (a && (b || c), .and([low, .or([lowB, lowC])])),
            ((a && b) && (b && c), .and([low, lowB, .and([lowB, lowC])])),
            (!a, .not(.or([low]))),
            (!(a && b), .not(.or([.and([low, lowB])]))),
            (not(!a), .not(.or([.not(.or([low]))]))),
            (not(QueryPredicateConstant.all), .not(.or([.all]))),
            (!a && b, .and([.not(.or([low])), lowB])),
            (a.and(b).or(c), .or([.and([low, lowB]), lowC])),
            (QueryPredicateGroup(), .and([])),
            (QueryPredicateGroup(type: .or), .or([])),
            (QueryPredicateGroup(type: .not, predicates: [a, b]), .not(.or([low, lowB]))),
        ] as [(QueryPredicateGroup, Predicate)])
    func groupsAreLoweredAsWritten(group: QueryPredicateGroup, predicate: Predicate) throws {
        #expect(try Counter.schema.lowered(group) == predicate)
    }

    @Test func allIsTrueForEveryRecord() throws {
        #expect(try Counter.schema.lowered(QueryPredicateConstant.all) == .all)
        #expect(try Counter.schema.plan().predicate == .all)
    }

    @Test func joiningAGroupLeavesItUnchanged() throws {
        let group = Self.a && Self.b
        _ = group.and(Self.c)
        _ = group.or(Self.c)
        _ = group && Self.c
        _ = !group
        #expect(group.predicates.count == 2)
        #expect(try Counter.schema.lowered(group) == .and([Self.low, Self.lowB]))
    }

    @Test func aRelationIsComparedByItsKey() throws {
        #expect(try Post.schema.lowered(Post.keys.blog == "b") == .compare("blogID", .equal, .text("b")))
        #expect(try Post.schema.lowered(field("blogID") == "b") == .compare("blogID", .equal, .text("b")))
        #expect(
            try OrderLine.schema.lowered(field("orderNumber") == 3) == .compare("orderNumber", .equal, .integer(3)))
    }

    @Test func aRelationWithoutOneKeyCannotBeCompared() {
        #expect { try OrderLine.schema.lowered(OrderLine.keys.order == "x") } throws: {
            ($0 as? ModelError)?.kind == .invalidSchema
        }
        #expect { try Blog.schema.lowered(not(Blog.keys.posts == "x")) } throws: {
            ($0 as? ModelError)?.kind == .invalidSchema
        }
    }

    @Test func aPredicateOfAForeignTypeIsRefusedInsteadOfMatchingEverything() {
        struct Foreign: QueryPredicate {
            func evaluate(target: any Model) -> Bool { true }
        }
        #expect(throws: ModelError.self) { try Post.schema.lowered(Foreign()) }
        #expect(throws: ModelError.self) { try Post.schema.lowered(Self.a && Foreign()) }
    }
}
