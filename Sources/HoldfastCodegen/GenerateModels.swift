public import HoldfastGraphQL
public import HoldfastSchema

/// Makes Swift models from a GraphQL schema.
///
/// The same sources and options give the same bytes everywhere.
///
/// - Parameters:
///   - sources: The schema, which may be spread over several texts; their indices must differ.
///   - options: What the files look like.
/// - Returns: The files in the order of their names.
/// - Throws: ``SchemaError`` with every problem of the schema; no files are made then.
/// - Complexity: Linear in the size of the schema, apart from models with very many relations.
public func generateModels(
    _ sources: [Source], options: GenerationOptions = GenerationOptions()
) throws(SchemaError) -> [GeneratedFile] {
    let graph = try GraphBuilder.graph(of: sources)
    return GeneratedFileWriter(graph: graph, options: options).files()
}

/// Finds everything in a schema from which no models can be made.
///
/// - Parameter sources: The schema, which may be spread over several texts; their indices must differ.
/// - Returns: The problems in the order of their places; empty if models can be made.
public func schemaProblems(in sources: [Source]) -> [SchemaProblem] {
    do {
        _ = try GraphBuilder.graph(of: sources)
        return []
    } catch {
        return error.problems
    }
}
