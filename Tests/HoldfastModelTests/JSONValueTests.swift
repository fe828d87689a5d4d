import HoldfastModel
import Testing

@Suite struct JSONValueTests {
    private let value: JSONValue = [
        "name": "Kara", "tags": ["a", "b"], "address": ["city": "Oslo", "zip": 150], "0": "zero", "none": nil,
    ]

    @Test func membersArePropertiesToo() {
        #expect(value.name?.stringValue == "Kara")
        #expect(value.address?.city == "Oslo")
        #expect(value.address?.zip?.intValue == 150)
        #expect(value.none == .null)
        #expect(value.nothing == nil)
        #expect(value.name?.first == nil)
    }

    @Test func aNumberIsAPlaceOrAName() {
        #expect(value.tags?[1] == "b")
        #expect(value.tags?[2] == nil)
        #expect(value.tags?[-1] == nil)
        #expect(value[0] == "zero")
        #expect(value[1] == nil)
        #expect(JSONValue.number(0)[0] == nil)
    }
}
