import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage

@testable import HoldfastServer

extension ServerSchema {
    /// Two models, `A` and `B`, that differ only in their names.
    static func plainModels() throws -> ServerSchema {
        let text = """
            type A @model @auth(rules: [{ allow: public }]) { text: String }
            type B @model @auth(rules: [{ allow: public }]) { text: String }
            """
        return try ServerSchema(sources: [Source(text)], defaultMode: .apiKey)
    }
}

extension ServerModel {
    /// A row that has only a key.
    func row(_ key: String) -> [Value] {
        var row = [Value](repeating: .null, count: entity.fields.count)
        row[entity.primaryKeyPositions[0]] = .text(key)
        return row
    }
}
