public import HoldfastGraphQL

/// Makes the API of an annotated schema: what clients of the service see.
///
/// The document has the author's types with the fields that the service adds, connections, inputs, filters, and the
/// three root types. It declares neither the scalars of AWS nor the `@aws_…` directives, which the service has built
/// in. The same sources give the same document everywhere.
///
/// ```swift
/// let api = try apiSchema(of: [Source("type Post @model { title: String! }")])
/// let text = "\(api)"  // type Post { …, with the queries, mutations, and subscriptions that a service has
/// ```
///
/// - Parameters:
///   - sources: The schema, which may be spread over several texts; their indices must differ.
///   - defaultMode: The mode of requests for everything that names no other; the API key by default.
/// - Returns: The API as a document of type definitions; the author's types come first.
/// - Throws: ``SchemaError`` with every problem of the schema.
/// - Complexity: Linear in the size of the document.
public func apiSchema(
    of sources: [Source], defaultMode: AuthMode = .apiKey
) throws(SchemaError) -> GraphQLDocument {
    let annotated = try GraphBuilder.annotatedSchema(of: sources)
    var builder = APIBuilder(annotated, defaultMode: defaultMode)
    return try builder.checkedDocument(of: sources, requiresQueries: false)
}

extension APIBuilder {
    /// The API, if nothing in it has the name of another part.
    ///
    /// Its names are made from those of the author and are stated by the author, so they can be the same.
    mutating func checkedDocument(
        of sources: [Source], requiresQueries: Bool
    ) throws(SchemaError) -> GraphQLDocument {
        let document = self.document()
        let configuration = GraphQLSchema.Configuration(
            prelude: AmplifyDirectives.document, requiresQueryType: requiresQueries)
        var problems = Problems(sources: sources)
        for problem in GraphQLSchema.problems(in: document, configuration: configuration) {
            problems.add(
                "in the API, \(problem.message)", at: problem.location ?? .none,
                problem.rule == .rootTypes
                    ? "Leave a model its queries."
                    : "Rename a model or a field, or name operations with \"@model\" or \"queryField\".")
        }
        guard problems.isEmpty else { throw SchemaError(problems: problems.sorted()) }
        return document
    }
}
