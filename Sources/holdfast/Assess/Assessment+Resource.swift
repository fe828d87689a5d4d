#if CLI

extension Assessment {
    /// Reads the TypeScript in which projects of the second generation describe their data.
    ///
    /// It looks for `Name: a.model(` and the like, wherever they are written.
    mutating func readResource(_ file: ProjectFile) {
        let tokens = CodeTokens.of(file.text)
        for position in tokens.indices where tokens[position].text == "a" && tokens[position].kind == .word {
            guard position + 3 < tokens.count, tokens[position + 1].isSign("."), tokens[position + 3].isSign("(")
            else { continue }
            let member = tokens[position + 2].text
            let line = tokens[position].line
            let name = Self.name(before: position, in: tokens)
            switch member {
            case "model":
                add(.same, "model \(name ?? "without a name")", file.name, line, note: Self.schemaNote)
            case "customType", "enum":
                add(.same, "\(member == "enum" ? "enum" : "type") \(name ?? "in a field")", file.name, line)
            case "query", "mutation", "subscription":
                add(
                    .missing, "\(member) \(name ?? "")", file.name, line,
                    note: "The server has the operations of models only; do this in your own service.")
            case "conversation", "generation":
                add(.missing, "\(member) \(name ?? "")", file.name, line, note: "The server has no AI routes.")
            case "combine":
                add(.different, "a.combine", file.name, line, note: "Write one GraphQL schema, or several files.")
            default: continue
            }
        }
        for (position, token) in tokens.enumerated() where token.kind == .word && token.text == "authorization" {
            guard position > 0, tokens[position - 1].isSign(".") else { continue }
            add(.same, "authorization rules", file.name, token.line, note: "Write them as `@auth` in the schema.")
        }
        for token in tokens where token.kind == .text && token.text == "identityPool" {
            add(.same, "identity pool", file.name, token.line, note: Self.signatures)
        }
    }

    private static let schemaNote =
        "The Swift models that ampx generates compile unchanged. To serve them or to generate models here, write the "
        + "same as GraphQL: `type Name @model`."

    /// What requests that AWS signs need.
    static let signatures =
        "Requests are signed with the credentials of `Amplify.Auth`'s plug-in, an `AuthAWSCredentialsProvider`, with "
        + "the package trait `Sync`; a server of Holdfast needs `HOLDFAST_SIGNING_KEYS`."

    /// The name in `Name: a.model(`, or in `const Name = a.model(`.
    private static func name(before position: Int, in tokens: [CodeToken]) -> String? {
        guard position >= 2, tokens[position - 1].isSign(":") || tokens[position - 1].isSign("=") else { return nil }
        let token = tokens[position - 2]
        return token.kind == .sign ? nil : token.text
    }
}
#endif
