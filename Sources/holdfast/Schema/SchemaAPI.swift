#if CLI
import ArgumentParser
import HoldfastGraphQL
import HoldfastSchema

/// `holdfast schema api`.
struct SchemaAPI: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api",
        abstract: "Prints the API that a service has for a schema.",
        discussion: """
            The API has the models with what the service adds, queries, mutations, subscriptions, and all inputs, as
            AWS Amplify makes it with conflict detection on.

            Examples:
              holdfast schema api schema.graphql
              holdfast schema api schema --default-auth AMAZON_COGNITO_USER_POOLS > api.graphql

            Exit codes: 0 printed, 1 the schema has problems, 64 wrong usage.
            """)

    @ArgumentParser.Argument(help: "The schema: files, or directories with .graphql files.")
    var schema: [String] = ["schema.graphql"]

    @Option(
        help: "\(AuthMode.defaultHelp)",
        transform: AuthMode.init(argument:))
    var defaultAuth: AuthMode = .apiKey

    @Flag(help: "Prints the text as JSON.")
    var json = false

    func run() throws {
        try CommandFailure.reported(asJSON: json) {
            let api = try apiSchema(of: try SchemaFiles.sources(at: schema), defaultMode: defaultAuth)
            let text = api.printed()
            if json { try Output.json(["api": text]) } else { try Output.result(text, terminator: "") }
        }
    }
}
#endif
