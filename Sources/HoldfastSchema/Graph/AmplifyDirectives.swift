import HoldfastGraphQL

/// The scalars and directives that schemas use without defining them.
enum AmplifyDirectives {
    static let document: GraphQLDocument = {
        do throws(GraphQLSyntaxError) {
            return try GraphQLDocument(parsing: text, options: ParseOptions(keepsLocations: false))
        } catch {
            preconditionFailure("The directives of Amplify must be GraphQL: \(error)")
        }
    }()

    private static let scalars = GraphQLScalar.allCases.filter { !$0.isBuiltIn }.map { "scalar \($0.rawValue)" }
        .joined(separator: "\n")

    // Input types and enums start with an underscore, so that they do not meet an author's types.
    private static let text = """
        \(scalars)

        directive \(DirectiveName.model)(
          queries: _ModelQueries, mutations: _ModelMutations, subscriptions: _ModelSubscriptions,
          timestamps: _ModelTimestamps
        ) on OBJECT
        input _ModelQueries { get: String list: String sync: String }
        input _ModelMutations { create: String update: String delete: String }
        input _ModelSubscriptions { onCreate: [String] onUpdate: [String] onDelete: [String] level: _ModelLevel }
        enum _ModelLevel { off public on }
        input _ModelTimestamps { createdAt: String updatedAt: String }

        directive \(DirectiveName.primaryKey)(sortKeyFields: [String]) on FIELD_DEFINITION
        directive \(DirectiveName.index)(
          name: String, sortKeyFields: [String], queryField: String, projection: _IndexProjection
        ) repeatable on FIELD_DEFINITION
        input _IndexProjection { type: _ProjectionType nonKeyAttributes: [String] }
        enum _ProjectionType { ALL KEYS_ONLY INCLUDE }
        directive \(DirectiveName.hasOne)(fields: [String!], references: [String!]) on FIELD_DEFINITION
        directive \(DirectiveName.hasMany)(
          indexName: String, fields: [String!], references: [String!], limit: Int
        ) on FIELD_DEFINITION
        directive \(DirectiveName.belongsTo)(fields: [String!], references: [String!]) on FIELD_DEFINITION
        directive \(DirectiveName.manyToMany)(relationName: String!, limit: Int) on FIELD_DEFINITION
        directive \(DirectiveName.default)(value: String) on FIELD_DEFINITION
        directive \(DirectiveName.key)(
          name: String, fields: [String!]!, queryField: String
        ) repeatable on OBJECT
        directive \(DirectiveName.connection)(
          name: String, keyField: String, sortField: String, keyName: String, limit: Int, fields: [String!]
        ) on FIELD_DEFINITION
        directive @versioned(versionField: String, versionInput: String) on OBJECT

        directive \(DirectiveName.auth)(rules: [_AuthRule!]!) on OBJECT | FIELD_DEFINITION
        input _AuthRule {
          allow: _AuthStrategy!
          provider: _AuthProvider
          identityField: String
          identityClaim: String
          ownerField: String
          groupsField: String
          groupClaim: String
          groups: [String]
          operations: [_AuthOperation]
          queries: [_AuthQuery]
          mutations: [_AuthMutation]
        }
        enum _AuthStrategy { owner groups private public custom }
        enum _AuthProvider { apiKey iam identityPool oidc userPools function }
        enum _AuthOperation { create update delete read get list sync listen search }
        enum _AuthQuery { get list }
        enum _AuthMutation { create update delete }

        directive @aws_api_key on OBJECT | FIELD_DEFINITION
        directive @aws_iam on OBJECT | FIELD_DEFINITION
        directive @aws_oidc on OBJECT | FIELD_DEFINITION
        directive @aws_lambda on OBJECT | FIELD_DEFINITION
        directive @aws_auth(cognito_groups: [String!]) on OBJECT | FIELD_DEFINITION
        directive @aws_cognito_user_pools(cognito_groups: [String!]) on OBJECT | FIELD_DEFINITION
        directive @aws_subscribe(mutations: [String!]!) on FIELD_DEFINITION
        directive @function(
          name: String!, region: String, accountId: String, invocationType: _InvocationType
        ) repeatable on FIELD_DEFINITION
        enum _InvocationType { RequestResponse Event }
        directive @http(
          method: _HTTPMethod, url: String!, headers: [_HTTPHeader]
        ) on FIELD_DEFINITION
        enum _HTTPMethod { GET POST PUT DELETE PATCH }
        input _HTTPHeader { key: String value: String }
        directive @searchable(queries: _SearchableQueries) on OBJECT
        input _SearchableQueries { search: String }
        directive @predictions(actions: [_PredictionsAction!]!) on FIELD_DEFINITION
        enum _PredictionsAction { identifyText identifyLabels convertTextToSpeech translateText }
        directive @conversation(
          aiModel: String!, systemPrompt: String!, auth: _ConversationAuth!, functionName: String,
          handler: _ConversationHandler, tools: [_ConversationTool], inferenceConfiguration: _InferenceConfiguration
        ) on FIELD_DEFINITION
        input _ConversationAuth { strategy: _AuthStrategy! provider: _AuthProvider! }
        input _ConversationHandler { functionName: String! eventVersion: String! }
        input _ConversationTool {
          name: String description: String modelName: String modelOperation: _ConversationOperation queryName: String
        }
        enum _ConversationOperation { list }
        directive @generation(
          aiModel: String!, systemPrompt: String!, inferenceConfiguration: _InferenceConfiguration
        ) on FIELD_DEFINITION
        input _InferenceConfiguration { maxTokens: Int temperature: Float topP: Float }
        directive @mapsTo(name: String!) on OBJECT
        directive @refersTo(name: String!) on OBJECT | FIELD_DEFINITION
        directive @sql(statement: String, reference: String) on FIELD_DEFINITION
        directive @validate(
          type: _ValidationType!, value: String!, errorMessage: String
        ) repeatable on FIELD_DEFINITION
        enum _ValidationType { gt lt gte lte minLength maxLength startsWith endsWith matches }
        """
}
