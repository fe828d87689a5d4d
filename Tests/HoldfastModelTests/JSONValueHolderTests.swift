import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite struct JSONValueHolderTests {
    struct Holder: Model, JSONValueHolder {
        var values: [String: String]

        func jsonValue(for key: String) -> Any?? {
            if key == "note" { return .some(nil) }
            return values[key].map { .some($0) }
        }
        func jsonValue(for key: String, modelSchema: ModelSchema) -> Any?? { jsonValue(for: key) }
    }

    @Test func aHolderIsUsedInsteadOfProperties() {
        let holder = Holder(values: ["title": "x"])
        #expect(holder["title"] as? String == "x")
        #expect(holder.eraseToAnyModel()["title"] as? String == "x")
        #expect(holder["values"] == nil)
        #expect(holder["note"] != nil)
    }
}
