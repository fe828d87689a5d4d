import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite struct JSONValueHolderTests {
    struct Holder: Model, JSONValueHolder {
        var values: [String: String?]

        func jsonValue(for key: String) -> Any?? { values[key].map { $0 } }
        func jsonValue(for key: String, modelSchema: ModelSchema) -> Any?? { jsonValue(for: key) }
    }

    @Test func aHolderIsAskedInsteadOfItsProperties() {
        let holder = Holder(values: ["title": "x", "note": .some(nil)])
        #expect(holder["title"] as? String == "x")
        #expect(holder.eraseToAnyModel()["title"] as? String == "x")
        #expect(holder["values"] == nil)
        #expect(holder["note"] != nil)
    }
}
