#if CLI
import ArgumentParser
import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema

/// `holdfast schema check`.
struct SchemaCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports everything that prevents generating models from a schema.",
        discussion: """
            Examples:
              holdfast schema check schema.graphql
              holdfast schema check schema --json

            Exit codes: 0 no problems, 1 problems, 64 wrong usage.
            """)

    @ArgumentParser.Argument(help: "The schema: files, or directories with .graphql files.")
    var schema: [String] = ["schema.graphql"]

    @Flag(help: "Prints the problems as JSON.")
    var json = false

    func run() throws {
        let problems = schemaProblems(in: try SchemaFiles.sources(at: schema))
        if json || !problems.isEmpty { try Output.problems(problems, asJSON: json) }
        if !problems.isEmpty { throw ExitCode(1) }
        if !json { print("No problems.") }
    }
}

/// `holdfast schema diff`.
struct SchemaCompare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what a new version of a schema changes.",
        discussion: """
            Each change is additive (everything continues to work), breaking (code or data no longer fits) or of
            storage (stores have to keep data in another way).

            Examples:
              holdfast schema diff old.graphql new.graphql
              git show main:schema.graphql > /tmp/old.graphql && holdfast schema diff /tmp/old.graphql schema.graphql

            Exit codes: 0 nothing breaks, 1 breaking changes or problems, 64 wrong usage.
            """)

    @ArgumentParser.Argument(help: "The old version: a file, or a directory with .graphql files.")
    var old: String

    @ArgumentParser.Argument(help: "The new version: a file, or a directory with .graphql files.")
    var new: String

    @Flag(help: "Prints the changes as JSON.")
    var json = false

    func run() throws {
        let changes: [SchemaDifference]
        do {
            changes = try schemaChanges(
                from: try SchemaFiles.sources(at: [old]), to: try SchemaFiles.sources(at: [new]))
        } catch let error as SchemaError {
            try Output.problems(error.problems, asJSON: json)
            throw ExitCode(1)
        }
        if json {
            try Output.json(["changes": changes.map(ChangeRecord.init)])
        } else {
            for change in changes { print(change) }
            if changes.isEmpty { print("No changes.") }
        }
        if changes.contains(where: { $0.kind == .breaking }) { throw ExitCode(1) }
    }
}

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
        do {
            let api = try apiSchema(of: try SchemaFiles.sources(at: schema), defaultMode: defaultAuth)
            if json { try Output.json(["api": api.printed()]) } else { print(api.printed(), terminator: "") }
        } catch let error as SchemaError {
            try Output.problems(error.problems, asJSON: json)
            throw ExitCode(1)
        }
    }
}

extension AuthMode {
    /// The help of options that name the mode of requests which name none.
    static var defaultHelp: String {
        "The authorization mode of requests that do not name one: \(allCases.map(\.rawValue).joined(separator: ", "))."
    }

    fileprivate init(argument: String) throws {
        guard let mode = AuthMode(rawValue: argument) else {
            throw ValidationError("'\(argument)' is not a mode; the help lists them.")
        }
        self = mode
    }
}

/// `holdfast schema print`.
struct SchemaPrint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Prints a schema in one fixed form.",
        discussion: """
            Examples:
              holdfast schema print schema.graphql
              holdfast schema print schema > all.graphql
            """)

    @ArgumentParser.Argument(help: "The schema: files, or directories with .graphql files.")
    var schema: [String] = ["schema.graphql"]

    @Flag(help: "Prints the text as JSON.")
    var json = false

    func run() throws {
        var document = GraphQLDocument(definitions: [])
        for source in try SchemaFiles.sources(at: schema) {
            do {
                document.definitions += try GraphQLDocument(parsing: source).definitions
            } catch {
                let problem = SchemaProblem(
                    message: error.message, hint: error.hint, source: source.name, location: error.location)
                try Output.problems([problem], asJSON: json)
                throw ExitCode(1)
            }
        }
        if json {
            try Output.json(["schema": document.printed()])
        } else {
            print(document.printed(), terminator: "")
        }
    }
}
#endif
