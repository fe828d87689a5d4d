import HoldfastStorage
import Testing

@Suite struct JSONMembersTests {
    @Test(arguments: [
        (#"{"a":1}"#, true), (#" { "b" : [ { "a" : 2 } ], "a" : null } "#, true),
        (#"{"b":"\"a\":","c":{"a":1}}"#, false),
        (#"{"\u0061":1}"#, true), ("{}", false), ("[]", false), ("", false), ("null", false),
    ])
    func onlyTheObjectsOwnMembersCount(json: String, isThere: Bool) {
        #expect(JSONMembers.contains("a", in: json) == isThere)
    }
}
