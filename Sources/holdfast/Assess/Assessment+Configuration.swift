#if CLI

extension Assessment {
    /// Reads a configuration that the tools of Amplify write.
    mutating func readConfiguration(_ file: ProjectFile) {
        for entry in JSONLocations.of(file.text) {
            switch file.kind {
            case .outputs: readOutput(entry, file.name)
            case .configuration: readConfigured(entry, file.name)
            case .conflicts: readConflicts(entry, file.name)
            case .backend: readBackend(entry, file.name)
            default: break
            }
        }
    }

    /// Of `amplify_outputs.json`.
    private mutating func readOutput(_ entry: JSONLocations.Entry, _ file: String) {
        switch entry.path {
        case ["data"]: add(.same, "configuration data", file, entry.line)
        case ["data", "default_authorization_type"], ["data", "authorization_types", "*"]:
            readAuthorization(entry.text, file, entry.line)
        case ["auth"]: addCognito(file, entry.line)
        case ["analytics"], ["geo"], ["notifications"], ["storage"]:
            addCategory(entry.path[0], file, entry.line)
        default:
            if entry.path.count == 4, entry.path.starts(with: ["data", "model_introspection", "models"]) {
                add(.same, "model \(entry.path[3])", file, entry.line)
            }
        }
    }

    /// Of `amplifyconfiguration.json`.
    private mutating func readConfigured(_ entry: JSONLocations.Entry, _ file: String) {
        let path = entry.path
        if path.count == 1 {
            switch path[0] {
            case "api", "dataStore", "hub", "logging": add(.same, "configuration \(path[0])", file, entry.line)
            case "auth": addCognito(file, entry.line)
            case "analytics", "geo", "notifications", "predictions", "storage": addCategory(path[0], file, entry.line)
            default: break
            }
        }
        guard path.count == 5, path.starts(with: ["api", "plugins", "awsAPIPlugin"]) else { return }
        if path[4] == "authorizationType" { readAuthorization(entry.text, file, entry.line) }
        if path[4] == "endpointType", let text = entry.text { add(.same, "\(text) service", file, entry.line) }
    }

    /// Of `transform.conf.json`.
    private mutating func readConflicts(_ entry: JSONLocations.Entry, _ file: String) {
        guard entry.path.last == "ConflictHandler", let text = entry.text else { return }
        switch text {
        case "AUTOMERGE":
            add(.same, "conflicts: automerge", file, entry.line, note: "`--conflict automerge`, the default.")
        case "OPTIMISTIC_CONCURRENCY":
            add(.same, "conflicts: optimistic", file, entry.line, note: "`--conflict optimistic`.")
        default:
            add(
                .different, "conflicts: a function decides", file, entry.line,
                note: "Make it reachable by a URL: `--conflict Model=URL`.")
        }
    }

    /// Of `backend-config.json`.
    private mutating func readBackend(_ entry: JSONLocations.Entry, _ file: String) {
        guard entry.path.count == 1 else { return }
        switch entry.path[0] {
        case "auth": addCognito(file, entry.line)
        case "analytics", "geo", "notifications", "predictions", "storage":
            addCategory(entry.path[0], file, entry.line)
        default: break
        }
    }

    private mutating func readAuthorization(_ text: String?, _ file: String, _ line: Int) {
        guard let text else { return }
        add(.same, "authorization \(text)", file, line, note: text == "AWS_IAM" ? Self.signatures : nil)
    }

    private mutating func addCognito(_ file: String, _ line: Int) {
        add(
            .missing, "configuration auth", file, line,
            note: "There is no plug-in for Cognito. The server accepts tokens of its user pools: `--issuer`.")
    }

    private mutating func addCategory(_ name: String, _ file: String, _ line: Int) {
        add(.missing, "configuration \(name)", file, line, note: "Holdfast has no such category.")
    }
}

/// Where the members of a JSON text are.
enum JSONLocations {
    /// One member of an object, or one element of a list.
    struct Entry {
        /// The names that lead to it; `*` for an element.
        let path: [String]
        /// Its value, if that is a text.
        let text: String?
        let line: Int
    }

    /// The entries in the order of the text; of one that is not JSON, those before the mistake, or wrong ones.
    static func of(_ text: String) -> [Entry] {
        let tokens = CodeTokens.of(text)
        var entries: [Entry] = []
        // One for each open object or list: its path so far; an element has no name.
        var open: [(path: [String], isList: Bool)] = []
        var name: [String]?
        for (position, token) in tokens.enumerated() {
            let follows = position + 1 < tokens.count && tokens[position + 1].isSign(":")
            switch (token.kind, token.text) {
            case (.sign, "{"), (.sign, "["):
                let path = name ?? (open.last.map { $0.isList ? $0.path + ["*"] : $0.path } ?? [])
                open.append((path, token.text == "["))
                name = nil
            case (.sign, "}"), (.sign, "]"):
                _ = open.popLast()
                name = nil
            case (.text, let key) where follows && open.last?.isList == false:
                let path = (open.last?.path ?? []) + [key]
                let value =
                    position + 2 < tokens.count && tokens[position + 2].kind == .text ? tokens[position + 2] : nil
                entries.append(Entry(path: path, text: value?.text, line: token.line))
                name = path
            case (.text, let element) where open.last?.isList == true:
                entries.append(Entry(path: (open.last?.path ?? []) + ["*"], text: element, line: token.line))
            case (.sign, ","): name = nil
            default: break
            }
        }
        return entries
    }
}
#endif
