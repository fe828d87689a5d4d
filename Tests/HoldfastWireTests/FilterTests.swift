import HoldfastModel
import HoldfastStorage
import HoldfastWire
import Testing

@Suite struct FilterTests {
    private static let day = Value.date(CalendarDate(daysSinceEpoch: 19_782))  // 2024-02-29

    private static func instant(_ text: String) -> Value { (try? .timestamp(Timestamp(parsing: text))) ?? .null }

    /// Fields of `Secret`: all but `id` may be null.
    @Test(
        arguments: [
            (.compare("reader", .equal, .text("a")), #"{"reader":{"eq":"a"}}"#),
            (.not(.compare("reader", .equal, .text("a"))), #"{"reader":{"ne":"a"}}"#),
            (.compare("count", .less, .integer(3)), #"{"count":{"lt":3}}"#),
            (.not(.compare("count", .less, .integer(3))), #"{"not":{"count":{"lt":3}}}"#),
            (.compare("count", .equal, .double(3)), #"{"count":{"eq":3}}"#),
            (.between("score", .integer(1), .double(2.5)), #"{"score":{"between":[1,2.5]}}"#),
            (.beginsWith("reader", "a\""), #"{"reader":{"beginsWith":"a\""}}"#),
            (.contains("editors", .text("a")), #"{"editors":{"contains":"a"}}"#),
            (.not(.contains("reader", .text("a"))), #"{"not":{"reader":{"contains":"a"}}}"#),
            (.not(.contains("id", .text("a"))), #"{"id":{"notContains":"a"}}"#),
            (.isIn("count", [.integer(1), .integer(2)]), #"{"or":[{"count":{"eq":1}},{"count":{"eq":2}}]}"#),
            (.isIn("count", []), #"{"id":{"eq":null}}"#),
            (
                .compare("reader", .equal, .null),
                #"{"or":[{"reader":{"attributeExists":false}},{"reader":{"eq":null}}]}"#
            ),
            (
                .compare("reader", .notEqual, .null),
                #"{"and":[{"reader":{"attributeExists":true}},{"reader":{"ne":null}}]}"#
            ),
            (.compare("day", .equal, day), #"{"day":{"beginsWith":"2024-02-29"}}"#),
            (.compare("day", .greater, day), #"{"day":{"ge":"2024-03-01"}}"#),
            (.compare("day", .lessOrEqual, day), #"{"day":{"lt":"2024-03-01"}}"#),
            (.compare("day", .less, .text("2024-02-29")), #"{"day":{"lt":"2024-02-29"}}"#),
            (.between("day", day, day), #"{"and":[{"day":{"ge":"2024-02-29"}},{"day":{"lt":"2024-03-01"}}]}"#),
            (.compare("postId", .equal, .text("p")), #"{"secretPostId":{"eq":"p"}}"#),
            (
                .and([.compare("count", .equal, .integer(1)), .and([.all, .compare("score", .equal, .integer(1))])]),
                #"{"and":[{"count":{"eq":1}},{"score":{"eq":1}}]}"#
            ),
            (
                .not(.and([.compare("count", .equal, .integer(1)), .not(.compare("score", .equal, .integer(1)))])),
                #"{"or":[{"count":{"ne":1}},{"score":{"eq":1}}]}"#
            ),
            (.all, nil), (.constant(false), #"{"id":{"eq":null}}"#),
            (.and([.compare("count", .less, .null), .beginsWith("reader", "a")]), #"{"id":{"eq":null}}"#),
        ] as [(Predicate, String?)])
    func aQueryFilterIsComplete(predicate: Predicate, json: String?) {
        let filter = WireFixtures.model("Secret").filter(for: predicate, in: .query)
        #expect(filter.json?.text == json)
        #expect(filter.residual == nil)
    }

    @Test(
        arguments: [
            (.compare("place", .equal, .text("{}")), nil),
            (
                .compare("at", .equal, .time(ClockTime(nanosecondsSinceMidnight: 0, tail: WrittenForm(offset: nil)))),
                nil
            ),
            (.compare("count", .less, .double(2.5)), nil), (.contains("places", .text("{}")), nil),
            (.compare("when", .greaterOrEqual, instant("2024-03-01T12:00:00Z")), #"{"when":{"ge":"2024-02-29"}}"#),
            (.compare("when", .less, instant("2024-03-01T12:00:00Z")), #"{"when":{"lt":"2024-03-03"}}"#),
            (
                .compare("when", .equal, instant("2024-03-01T12:00:00Z")),
                #"{"when":{"ge":"2024-02-29","lt":"2024-03-03"}}"#
            ),
            (.not(.compare("when", .less, instant("2024-03-01T12:00:00Z"))), nil),
            (.or([.compare("count", .equal, .integer(1)), .compare("place", .equal, .text("{}"))]), nil),
            (.not(.beginsWith("unknown", "a")), nil),
            // The service refuses these numbers.
            (.compare("count", .less, .integer(.max)), nil), (.compare("count", .greater, .double(-3e9)), nil),
            (.between("count", .integer(0), .integer(2_147_483_648)), nil),
            (.isIn("count", [.integer(1), .integer(-2_147_483_649)]), nil),
        ] as [(Predicate, String?)])
    func restIsLeft(predicate: Predicate, json: String?) {
        let filter = WireFixtures.model("Secret").filter(for: predicate, in: .query)
        #expect(filter.json?.text == json)
        #expect(filter.residual == predicate)
    }

    @Test func conjunctionLeavesOnlyWhatItCannotSay() {
        let said = Predicate.compare("count", .equal, .integer(1))
        let unsaid = Predicate.compare("place", .equal, .text("{}"))
        let half = Predicate.compare("when", .less, Self.instant("2024-03-01T12:00:00Z"))
        let filter = WireFixtures.model("Secret").filter(for: .and([said, unsaid, half]), in: .query)
        #expect(filter.json?.text == #"{"and":[{"count":{"eq":1}},{"when":{"lt":"2024-03-03"}}]}"#)
        #expect(filter.residual == .and([unsaid, half]))
        let either = WireFixtures.model("Secret").filter(for: .or([said, half]), in: .query)
        #expect(either.json?.text == #"{"or":[{"count":{"eq":1}},{"when":{"lt":"2024-03-03"}}]}"#)
        #expect(either.residual == .or([said, half]))
    }

    @Test func timesOfTheServiceAreComparedExactly() {
        let book = WireFixtures.bookModel
        let instant = Self.instant("2024-03-01T12:00:00+01:00")
        let filter = book.filter(for: .compare("updatedAt", .greater, instant), in: .query)
        #expect(filter == SentFilter(json: ["updatedAt": ["gt": "2024-03-01T11:00:00.000Z"]]))
        let finer = book.filter(
            for: .compare("updatedAt", .greater, Self.instant("2024-03-01T12:00:00.0001Z")), in: .query)
        #expect(finer.residual != nil)
    }

    @Test func enumerationsKnowOnlyEquality() {
        let post = WireFixtures.postModel
        #expect(post.filter(for: .compare("status", .equal, .text("draft")), in: .query).residual == nil)
        #expect(post.filter(for: .compare("status", .less, .text("draft")), in: .query).json == nil)
        #expect(post.filter(for: .compare("status", .equal, .null), in: .query).json == nil)
        #expect(post.filter(for: .compare("draft", .equal, .boolean(true)), in: .query).json == ["draft": ["eq": true]])
    }

    @Test func loneComparisonOfASyncQueryIsWrapped() {
        let title = Predicate.compare("title", .equal, .text("t"))
        let post = WireFixtures.postModel
        #expect(post.syncFilter(for: title).json?.text == #"{"and":[{"title":{"eq":"t"}}]}"#)
        #expect(post.syncFilter(for: .or([title, .beginsWith("title", "u")])).json?["or"] != nil)
        #expect(post.syncFilter(for: .all).json == nil)
        #expect(post.syncFilter(for: .constant(false)).json?.text == #"{"and":[{"id":{"eq":null}}]}"#)
    }

    @Test func whatMatchesNothingNamesTheKeyOfTheModel() {
        let book = WireFixtures.bookModel
        #expect(book.filter(for: .or([]), in: .query) == SentFilter(json: ["isbn": ["eq": nil]]))
        #expect(book.syncFilter(for: .or([])).json?.text == #"{"and":[{"isbn":{"eq":null}}]}"#)
    }

    @Test func conditionsDoNotNameTheKey() {
        let predicate = Predicate.and([.compare("title", .equal, .text("t")), .compare("isbn", .equal, .text("x"))])
        let filter = WireFixtures.bookModel.filter(for: predicate, in: .condition)
        #expect(filter.json?.text == #"{"title":{"eq":"t"}}"#)
        #expect(filter.residual == .compare("isbn", .equal, .text("x")))
        for dialect in [FilterDialect.condition, .subscription] {
            let nothing = WireFixtures.bookModel.filter(for: .constant(false), in: dialect)
            #expect(nothing == SentFilter(residual: .constant(false)))
        }
    }

    @Test(
        arguments: [
            (.compare("count", .less, .integer(3)), #"{"count":{"lt":3}}"#, true),
            (.not(.compare("count", .less, .integer(3))), nil, false),
            (.not(.compare("id", .less, .text("a"))), #"{"id":{"ge":"a"}}"#, true),
            (.isIn("count", [.integer(1), .integer(2)]), #"{"count":{"in":[1,2]}}"#, true),
            (.not(.isIn("id", [.text("a"), .text("b")])), #"{"id":{"notIn":["a","b"]}}"#, true),
            (.isIn("count", (1...6).map { .integer($0) }), nil, false),
            (.isIn("count", [.integer(.max)]), nil, false),
            (.compare("reader", .notEqual, .text("a")), nil, false), (.compare("reader", .equal, .null), nil, false),
            (.compare("reader", .equal, .text(String(repeating: "x", count: 257))), nil, false),
            (.compare("postId", .equal, .text("p")), nil, false),
            (
                .and([.compare("count", .equal, .integer(1)), .beginsWith("reader", "a")]),
                #"{"and":[{"count":{"eq":1}},{"reader":{"beginsWith":"a"}}]}"#, true
            ),
            (.and([.compare("count", .greater, .integer(1)), .compare("count", .less, .integer(5))]), nil, false),
            (.compare("when", .equal, instant("2024-03-01T12:00:00Z")), #"{"when":{"ge":"2024-02-29"}}"#, false),
        ] as [(Predicate, String?, Bool)])
    func subscriptionFilterKeepsToItsDialect(predicate: Predicate, json: String?, isExact: Bool) {
        let filter = WireFixtures.model("Secret").filter(for: predicate, in: .subscription)
        #expect(filter.json?.text == json)
        #expect((filter.residual == nil) == isExact)
    }

    /// The service names the key of a relation that does not state it after the model, too.
    @Test func columnsOfConditionsHaveTheServicesNames() throws {
        let fields = [
            ModelField(name: "id", type: .string, isRequired: true),
            ModelField(
                name: "post", type: .model(name: "Post"),
                association: .belongsTo(associatedFieldName: nil, targetNames: [])),
        ]
        let schema = ModelSchema(
            name: "Comment", attributes: [.primaryKey(fields: ["id"])],
            fields: Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0) }))
        let model = try WireModel(schema, among: WireFixtures.schemas.merging(["Comment": schema]) { $1 })
        let condition = #"{"and":[{"postId":{"eq":"p"}},{"not":{"or":[{"postId":{"ne":"q"}},{"id":{"eq":"c"}}]}}]}"#
        let named = model.withWireNames(try WireValue(parsing: Array(condition.utf8)))
        #expect(named.text == condition.replacing("postId", with: "commentPostId"))
    }

    @Test func canonicalTextIsTheSameForTheSameCondition() {
        let a = Predicate.compare("a", .equal, .integer(1))
        let b = Predicate.contains("b", .text("x"))
        #expect(Predicate.and([a, b]).canonicalText == Predicate.and([b, .and([a, a, .all])]).canonicalText)
        #expect(Predicate.not(.not(a)).canonicalText == a.canonicalText)
        #expect(Predicate.not(.or([a, b])).canonicalText == Predicate.and([.not(a), .not(b)]).canonicalText)
        #expect(a.canonicalText == Predicate.compare("a", .equal, .double(1)).canonicalText)
        #expect(a.canonicalText != Predicate.compare("a", .equal, .text("1")).canonicalText)
        #expect(Predicate.and([a, b]).canonicalText != Predicate.or([a, b]).canonicalText)
        #expect(Predicate.isIn("a", [.integer(2), .integer(1)]).canonicalText == #"["in","a",[1,2]]"#)
    }
}
