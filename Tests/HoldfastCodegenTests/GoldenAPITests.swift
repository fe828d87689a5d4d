import Foundation
import HoldfastGraphQL
import Testing

@testable import HoldfastCodegen
@testable import HoldfastSchema

/// The models of the golden schemas beside the API that the service makes of the same schemas.
@Suite struct GoldenAPITests {
    static let names = ["auth-multi", "auth"] + (Fixture.groups["Data"] ?? []).filter { !own.contains($0) }
    /// Schemas of ours, for which there is no golden API.
    static let own = ["older-directives", "relations-by-reference", "spellings"]

    struct Pair {
        let models: [ModelType]
        let api: [String: [String: FieldDefinition]]

        init(_ name: String) throws {
            models = try GraphBuilder.graph(of: [Fixture.source(name)]).models
            let url = Fixture.folder.appendingPathComponent("API/\(name).sdl")
            var api: [String: [String: FieldDefinition]] = [:]
            for case .type(let type) in try GraphQLDocument(parsing: Source(bytes: Array(Data(contentsOf: url))))
                .definitions
            {
                api[type.name.text] = Dictionary(uniqueKeysWithValues: type.fields.map { ($0.name.text, $0) })
            }
            self.api = api
        }
    }

    @Test(arguments: names)
    func theQueriesHaveThePluralsAndTheKeys(name: String) throws {
        let pair = try Pair(name)
        let queries = try #require(pair.api["Query"])
        for model in pair.models {
            #expect(queries["list\(model.plural)"] != nil, "list\(model.plural)")
            #expect(queries["sync\(model.plural)"] != nil, "sync\(model.plural)")
            let get = try #require(queries["get" + Names.upperFirst(model.name)], "\(model.name)")
            #expect(get.arguments.map(\.name.text) == model.primaryKey, "\(model.name)")
        }
    }

    @Test(arguments: names)
    func theFieldsAreThoseOfTheAPI(name: String) throws {
        let pair = try Pair(name)
        for model in pair.models {
            var rest = try #require(pair.api[model.name], "\(model.name)")
            for field in model.fields {
                let comment: Comment = "\(model.name).\(field.name)"
                let found = rest.removeValue(forKey: field.name)
                let expected = try #require(found, comment)
                if let relation = field.relation {
                    let name = relation.kind == .hasMany ? "Model\(relation.model)Connection" : relation.model
                    #expect(expected.type.name.text == name, comment)
                } else {
                    // The service fills in what models may only read.
                    let type = field.isReadOnly ? expected.type.nullable : expected.type
                    #expect(type.description == Self.type(of: field), comment)
                }
            }
            let keys = Set(model.fields.flatMap { $0.relation?.targets ?? [] })
            let rules = model.rules + model.fields.flatMap(\.rules)
            let owners = Set(rules.flatMap { [$0.ownerField, $0.groupsField] }.compactMap(\.self))
            let system: Set = ["_version", "_deleted", "_lastChangedAt"]
            #expect(Set(rest.keys).subtracting(keys.union(owners)) == system, "\(model.name)")
            for key in keys where model.field(key) == nil {
                #expect(rest[key] != nil, "\(model.name) keeps \(key)")
            }
        }
    }

    private static func type(of field: ModelTypeField) -> String {
        let element = field.scalar + (field.isList && field.elementsAreRequired ? "!" : "")
        return (field.isList ? "[\(element)]" : element) + (field.isRequired ? "!" : "")
    }
}
