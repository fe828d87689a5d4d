#if CLI
import HoldfastCodegen
import HoldfastGraphQL
import HoldfastSchema

extension Assessment {
    /// Reads the files of a schema: models, what the server does not do, and what prevents generating models.
    mutating func readSchema(_ files: [ProjectFile]) {
        // A directory may have the schema of another service, which is not a schema of Amplify.
        let isOfAmplify = files.contains { $0.text.contains("@model") || $0.name.contains("amplify/backend/api/") }
        guard isOfAmplify else { return }
        let sources = files.enumerated().map { index, file in
            Source(bytes: Array(file.text.utf8), name: file.name, index: UInt32(index))
        }
        for source in sources {
            guard let document = try? GraphQLDocument(parsing: source) else { continue }
            for case .type(let type) in document.definitions { read(type, source.name) }
        }
        for problem in schemaProblems(in: sources) {
            let note = [problem.message, problem.hint].compactMap(\.self).joined(separator: " ")
            // A problem of the schema as a whole is at its first file.
            let file = problem.source.isEmpty ? files[0].name : problem.source
            add(.missing, "schema problem", file, Int(problem.location.line), note: note)
        }
    }

    private mutating func read(_ type: TypeDefinition, _ file: String) {
        let line = Int(type.name.location.line)
        if ["Query", "Mutation", "Subscription"].contains(type.name.text) {
            for field in type.fields {
                add(
                    .missing, "\(type.name.text).\(field.name.text)", file, Int(field.name.location.line),
                    note: "The server has the operations of models only; do this in your own service.")
            }
            return
        }
        let directives = type.directives + type.fields.flatMap(\.directives)
        let isModel = type.directives.contains { $0.name.text == "model" }
        if isModel { add(.same, "model \(type.name.text)", file, line) }
        for directive in directives {
            let line = Int(directive.location.line)
            if let note = Self.directives[directive.name.text] {
                add(.missing, "@\(directive.name.text)", file, line, note: note)
            } else if directive.name.text == "auth", !isModel {
                add(
                    .missing, "@auth", file, line,
                    note: "The server has rules for models and their fields only, and refuses the schema if a model "
                        + "has a field of this type.")
            } else if directive.name.text == "auth" {
                add(
                    .same, "@auth", file, line,
                    note: "The rules hold on the server; requests signed by IAM need `HOLDFAST_SIGNING_KEYS`.")
            }
        }
    }

    /// Directives that are checked, and have no effect.
    private static let directives = [
        "function": "The server runs no functions.",
        "http": "The server asks no other services.",
        "searchable": "The server has no search; use filters, or a search service of your own.",
        "predictions": "The server has no predictions.",
        "sql": "The server runs no SQL of a schema.",
    ]
}
#endif
