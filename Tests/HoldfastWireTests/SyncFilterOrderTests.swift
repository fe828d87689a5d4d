import HoldfastStorage
import HoldfastWire
import Testing

/// What AppSync can answer from an index, by the order of the conditions.
@Suite struct SyncFilterOrderTests {
    private static func compare(_ field: String, _ comparison: Predicate.Comparison, _ value: Value) -> Predicate {
        .compare(field, comparison, value)
    }

    private func text(_ parts: Predicate..., of model: String = "project") -> String? {
        WireFixtures.model(model).syncFilter(for: parts.count == 1 ? parts[0] : .and(parts)).json?.text
    }

    private let team = compare("team", .equal, .text("t"))
    private let note = compare("note", .equal, .text("n"))
    private let year = compare("year", .greater, .integer(3))
    private let rank = compare("rank", .lessOrEqual, .integer(4))

    @Test func theFirstFieldOfAnIndexComesFirst() {
        #expect(text(team) == #"{"and":[{"team":{"eq":"t"}}]}"#)
        #expect(text(rank, team) == #"{"and":[{"team":{"eq":"t"}},{"rank":{"le":4}}]}"#)
    }

    @Test func theSortFieldComesSecond() {
        #expect(text(year, note) == #"{"and":[{"note":{"eq":"n"}},{"year":{"gt":3}}]}"#)
        #expect(text(team, year, note) == #"{"and":[{"team":{"eq":"t"}},{"year":{"gt":3}},{"note":{"eq":"n"}}]}"#)
        // The sort field of another index is a field like any other.
        #expect(text(rank, year, note) == #"{"and":[{"note":{"eq":"n"}},{"rank":{"le":4}},{"year":{"gt":3}}]}"#)
        let begins = Predicate.beginsWith("title", "a")
        let isbn = Self.compare("isbn", .equal, .text("i"))
        let edition = Self.compare("edition", .equal, .integer(2))
        #expect(
            text(begins, edition, isbn, of: "Book")
                == #"{"and":[{"isbn":{"eq":"i"}},{"edition":{"eq":2}},{"title":{"beginsWith":"a"}}]}"#)
    }

    /// DynamoDB leaves a record without a sort field out of the index.
    @Test func anIndexThatMayLackRecordsIsReadByItsSortFieldOnly() {
        let stage = Self.compare("stage", .equal, .text("s"))
        let end = Self.compare("end", .greater, .integer(3))
        #expect(text(stage) == #"{"and":[{"and":[{"stage":{"eq":"s"}}]}]}"#)
        #expect(text(stage, rank) == #"{"and":[{"and":[{"stage":{"eq":"s"}}]},{"rank":{"le":4}}]}"#)
        #expect(text(end, stage) == #"{"and":[{"stage":{"eq":"s"}},{"end":{"gt":3}}]}"#)
        #expect(text(stage, year) == #"{"and":[{"stage":{"eq":"s"}},{"year":{"gt":3}}]}"#)
        // The service sets this one in each record.
        let place = Self.compare("place", .equal, .text("p"))
        #expect(text(rank, place) == #"{"and":[{"place":{"eq":"p"}},{"rank":{"le":4}}]}"#)
    }

    @Test func whatAnIndexCannotAnswerDoesNotBeginWithIt() {
        let between = Predicate.between("year", .integer(1), .integer(2))
        #expect(
            text(note, between) == #"{"and":[{"and":[{"note":{"eq":"n"}}]},{"year":{"between":[1,2]}}]}"#)
        #expect(text(between, note) == #"{"and":[{"year":{"between":[1,2]}},{"note":{"eq":"n"}}]}"#)
        let other = Self.compare("year", .notEqual, .integer(7))
        #expect(text(note, other) == #"{"and":[{"and":[{"note":{"eq":"n"}}]},{"year":{"ne":7}}]}"#)
        // Two bounds on the sort field: the second would be a filter on the key.
        let below = Self.compare("year", .less, .integer(9))
        #expect(
            text(note, year, below) == #"{"and":[{"and":[{"note":{"eq":"n"}}]},{"year":{"gt":3}},{"year":{"lt":9}}]}"#)
        #expect(
            text(note, .or([year, rank]))
                == #"{"and":[{"and":[{"note":{"eq":"n"}}]},{"or":[{"year":{"gt":3}},{"rank":{"le":4}}]}]}"#)
        #expect(
            text(note, .not(.between("year", .integer(1), .integer(2))))
                == #"{"and":[{"and":[{"note":{"eq":"n"}}]},{"not":{"year":{"between":[1,2]}}}]}"#)
        // Another index may be read instead.
        #expect(
            text(note, between, team)
                == #"{"and":[{"team":{"eq":"t"}},{"note":{"eq":"n"}},{"year":{"between":[1,2]}}]}"#)
        let again = Self.compare("team", .notEqual, .text("u"))
        #expect(text(team, again) == #"{"and":[{"and":[{"team":{"eq":"t"}}]},{"team":{"ne":"u"}}]}"#)
    }

    @Test func otherConditionsStayAsTheyAre() {
        let id = Self.compare("id", .equal, .text("i"))
        #expect(text(rank, id) == #"{"and":[{"rank":{"le":4}},{"id":{"eq":"i"}}]}"#)
        #expect(text(.or([team, note])) == #"{"or":[{"team":{"eq":"t"}},{"note":{"eq":"n"}}]}"#)
        let empty = Self.compare("team", .equal, .text(""))
        #expect(text(rank, empty) == #"{"and":[{"rank":{"le":4}},{"team":{"eq":""}}]}"#)
        let more = Self.compare("team", .greater, .text("a"))
        #expect(text(rank, more) == #"{"and":[{"rank":{"le":4}},{"team":{"gt":"a"}}]}"#)
    }
}
