import HoldfastGraphQL

/// The scalars and directives that the API of every service has without declaring them.
enum ServicePrelude {
    static let document: GraphQLDocument = {
        do throws(GraphQLSyntaxError) {
            return try GraphQLDocument(parsing: text, options: ParseOptions(keepsLocations: false))
        } catch {
            preconditionFailure("The scalars and directives of the service must be GraphQL: \(error)")
        }
    }()

    private static let text = """
        scalar AWSDate
        scalar AWSTime
        scalar AWSDateTime
        scalar AWSTimestamp
        scalar AWSEmail
        scalar AWSJSON
        scalar AWSPhone
        scalar AWSURL
        scalar AWSIPAddress

        directive @aws_api_key on OBJECT | FIELD_DEFINITION
        directive @aws_iam on OBJECT | FIELD_DEFINITION
        directive @aws_oidc on OBJECT | FIELD_DEFINITION
        directive @aws_lambda on OBJECT | FIELD_DEFINITION
        directive @aws_cognito_user_pools(cognito_groups: [String]) on OBJECT | FIELD_DEFINITION
        directive @aws_subscribe(mutations: [String]) on FIELD_DEFINITION
        """
}
