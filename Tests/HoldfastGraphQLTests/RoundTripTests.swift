import HoldfastGraphQL
import Testing

@Suite struct RoundTripTests {
    private static let plain = ParseOptions(keepsLocations: false)

    @Test(arguments: Fixture.names)
    func printedDocumentsReadBackAsTheSame(name: String) throws {
        let document = try GraphQLDocument(parsing: Source(bytes: Fixture.bytes(name)), options: Self.plain)
        let printed = document.printed()
        #expect(try GraphQLDocument(parsing: printed, options: Self.plain) == document)
        #expect(try GraphQLDocument(parsing: printed, options: Self.plain).printed() == printed)
    }

    @Test(arguments: Fixture.names.filter { $0.hasSuffix(".sdl") })
    func servicesOfAppSyncAreValidSchemas(name: String) throws {
        let prelude = try GraphQLDocument(parsing: Fixture.text("aws-prelude.graphql"))
        let document = try GraphQLDocument(parsing: Fixture.text(name))
        #expect(GraphQLSchema.problems(in: document, configuration: .init(prelude: prelude)) == [])
    }

    @Test(
        arguments: Fixture.names.filter { $0.hasSuffix(".graphql") && !$0.contains("-sink-") && !$0.hasPrefix("aws") })
    func modelSchemasAreValidWithoutQueryType(name: String) throws {
        let prelude = try GraphQLDocument(parsing: Fixture.text("aws-prelude.graphql"))
        let document = try GraphQLDocument(parsing: Fixture.text(name))
        let configuration = GraphQLSchema.Configuration(prelude: prelude, requiresQueryType: false)
        #expect(GraphQLSchema.problems(in: document, configuration: configuration) == [])
    }

    @Test func theKitchenSinkIsAValidSchema() throws {
        let document = try GraphQLDocument(parsing: Fixture.text("kitchen-sink-schema.graphql"))
        #expect(GraphQLSchema.problems(in: document) == [])
    }

    @Test(arguments: ["kitchen-sink-request", "kitchen-sink-schema"])
    func printedFormsAreAsRecorded(name: String) throws {
        let printed = try GraphQLDocument(parsing: Fixture.text("\(name).graphql")).printed()
        #expect(try Fixture.text("\(name).printed") == printed)
    }
}
