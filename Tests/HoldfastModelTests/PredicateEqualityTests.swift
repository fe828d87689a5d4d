import HoldfastModel
import Testing

@Suite struct PredicateEqualityTests {
    @Test func comparisonsAreEqualByFieldAndOperator() {
        #expect(field("a").eq(1) == field("a").eq(1))
        #expect(field("a").eq(1) != field("b").eq(1))
        #expect(field("a").eq(1) != field("a").eq("1"))
        #expect(field("a").eq(1) != field("a").ne(1))
        #expect(field("a").notContains("x") == field("a").notContains("x"))
    }

    @Test func textsThatLookAlikeAreDifferentOperands() {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        #expect(field("a").eq(composed) != field("a").eq(decomposed))
        #expect(field("a").contains(composed) != field("a").contains(decomposed))
        #expect(field("a").notContains(composed) != field("a").notContains(decomposed))
        #expect(field("a").beginsWith(composed) != field("a").beginsWith(decomposed))
    }

    @Test func groupsAreEqualByTypeAndConditions() {
        let group = field("a").eq(1) && (field("b") < 2 || !(field("c") ~= "x")) && QueryPredicateConstant.all
        let same = field("a").eq(1) && (field("b") < 2 || !(field("c") ~= "x")) && QueryPredicateConstant.all
        #expect(group == same)
        #expect(group != (field("a").eq(1) && (field("b") < 3 || !(field("c") ~= "x")) && QueryPredicateConstant.all))
        #expect((field("a").eq(1) && field("b").eq(2)) != (field("b").eq(2) && field("a").eq(1)))
        #expect((field("a").eq(1) && field("b").eq(2)) != (field("a").eq(1) || field("b").eq(2)))
        #expect(QueryPredicateGroup(type: .and) != QueryPredicateGroup(type: .or))
        #expect(not(field("a").eq(1)) != QueryPredicateGroup(type: .not, predicates: [QueryPredicateConstant.all]))
    }
}
