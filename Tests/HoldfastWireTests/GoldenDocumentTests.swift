import Foundation
import GoldenAccessLazy
import GoldenDataLazy
import HoldfastGraphQL
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import HoldfastWire
import Testing

/// Documents and inputs of generated models, held against the API that the original makes of the same schema.
@Suite struct GoldenDocumentTests {
    static let names = [
        "auth", "auth-multi", "enums-embedded", "keys-indexes", "many-to-many", "plain", "plurals",
        "relations-explicit",
        "relations-implicit", "scalars",
    ]

    /// The models of both modules, of which some have one name.
    private static let schemas: Task<[[String: ModelSchema]], any Error> = Task {
        try await ExclusiveUse.modelRegistry {
            [GoldenAccessLazy.AmplifyModels(), GoldenDataLazy.AmplifyModels()].map {
                (registration: any AmplifyModelRegistration) in
                registration.registerModels(registry: ModelRegistry.self)
                defer { ModelRegistry.reset() }
                return Dictionary(uniqueKeysWithValues: ModelRegistry.modelSchemas.map { ($0.name, $0) })
            }
        }
    }

    private static let prelude = """
        scalar AWSDate scalar AWSTime scalar AWSDateTime scalar AWSTimestamp scalar AWSEmail scalar AWSJSON
        scalar AWSPhone scalar AWSURL scalar AWSIPAddress
        directive @aws_api_key on OBJECT | FIELD_DEFINITION
        directive @aws_iam on OBJECT | FIELD_DEFINITION
        directive @aws_oidc on OBJECT | FIELD_DEFINITION
        directive @aws_lambda on OBJECT | FIELD_DEFINITION
        directive @aws_cognito_user_pools(cognito_groups: [String]) on OBJECT | FIELD_DEFINITION
        directive @aws_subscribe(mutations: [String]) on FIELD_DEFINITION
        """

    private func api(_ name: String) throws -> (schema: GraphQLSchema, document: GraphQLDocument) {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("HoldfastCodegenTests/API/\(name).sdl")
        let document = try GraphQLDocument(parsing: try String(contentsOf: file, encoding: .utf8))
        let prelude = try GraphQLDocument(parsing: Self.prelude)
        return (try GraphQLSchema(document, configuration: GraphQLSchema.Configuration(prelude: prelude)), document)
    }

    /// The models of an API that have generated code.
    private func models(of schema: GraphQLSchema, _ name: String) async throws -> [WireModel] {
        let schemas = try await Self.schemas.value[name.hasPrefix("auth") ? 0 : 1]
        return try schemas.values.sorted { $0.name < $1.name }.filter { model in
            schema.type("Create\(model.name)Input") != nil
        }.map { try WireModel($0, among: schemas) }
    }

    @Test(arguments: names)
    func documentsFitTheAPI(name: String) async throws {
        let (schema, _) = try api(name)
        let models = try await models(of: schema, name)
        #expect(!models.isEmpty)
        for model in models {
            let key = RecordKey(model.keyColumns.map { Self.value(of: model.columns[$0].type) })
            var operations: [WireOperation] = []
            for relations in [RelationSelection.keys, .fields] {
                operations += [
                    model.get(key, relations: relations),
                    model.list(filter: [:], limit: 1, nextToken: "", relations: relations),
                    model.sync(filter: [:], limit: 1, nextToken: "", lastSync: 0, relations: relations),
                ]
                for mutation in WireMutation.allCases {
                    operations += [
                        model.mutation(mutation, input: [:], condition: [:], relations: relations),
                        model.subscription(
                            to: mutation, owners: model.ownerArguments { _ in "x" }, filter: [:], relations: relations),
                    ]
                }
            }
            for operation in operations {
                let problems = schema.validate(try GraphQLDocument(parsing: operation.document))
                #expect(problems.isEmpty, "\(operation.document)\n\(problems)")
            }
        }
    }

    @Test(arguments: names)
    func inputsAndFiltersNameFieldsOfTheAPI(name: String) async throws {
        let (schema, document) = try api(name)
        for model in try await models(of: schema, name) {
            let row = model.columns.map { Self.value(of: $0.type) }
            let allFields = model.columns.map(\.name)
            for mutation in WireMutation.allCases {
                // A model that has only a key has nothing to update.
                guard let input = model.input(for: mutation, row: row, changedFields: allFields, version: 1) else {
                    #expect(mutation == .update && model.columns.allSatisfy { $0.isReadOnly || $0.isRequired })
                    continue
                }
                let type = "\(mutation.rawValue.capitalized)\(model.name)Input"
                let known = try #require(document.inputFields(of: type))
                let unknown = input.members.map(\.name).filter { !known.contains($0) }
                #expect(unknown.isEmpty, "\(type): \(unknown)")
            }
            for (dialect, type) in [
                (FilterDialect.query, "Model\(model.name)FilterInput"),
                (.condition, "Model\(model.name)ConditionInput"),
                (.subscription, "ModelSubscription\(model.name)FilterInput"),
            ] {
                let known = try #require(document.inputFields(of: type))
                for (column, value) in zip(model.columns, row) {
                    let filter = model.filter(for: .compare(column.name, .equal, value), in: dialect)
                    guard let members = filter.json?.object?.members else { continue }
                    #expect(members.allSatisfy { known.contains($0.name) }, "\(type): \(members.map(\.name))")
                }
            }
        }
    }

    private static func value(of type: FieldType) -> Value {
        switch type {
        case .int, .timestamp: .integer(1)
        case .float: .double(1.5)
        case .boolean: .boolean(true)
        case .date: .date(CalendarDate(daysSinceEpoch: 1))
        case .time: .time(ClockTime(nanosecondsSinceMidnight: 0, tail: WrittenForm(offset: 0)))
        case .dateTime:
            .timestamp(Timestamp(secondsSinceEpoch: 0, nanoseconds: 0, tail: WrittenForm(offset: 0, fractionDigits: 3)))
        case .embedded: .text("{}")
        case .enumeration: .text("HOME")
        case .list(let element, _): .list([value(of: element)])
        default: .text("a")
        }
    }
}

extension GraphQLDocument {
    /// The names of the fields of an input.
    fileprivate func inputFields(of name: String) -> Set<String>? {
        for case .type(let type) in definitions where type.name.text == name {
            if case .inputObject(let fields) = type.body { return Set(fields.map(\.name.text)) }
        }
        return nil
    }
}
