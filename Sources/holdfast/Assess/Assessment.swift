#if CLI

/// How something of Amplify works with Holdfast, in the words of docs/compatibility.md.
enum Verdict: String, Encodable, CaseIterable {
    case missing, different, better, same

    /// The heading of its part of the table.
    var title: String {
        switch self {
        case .missing: "MISSING"
        case .different: "DIFFERENT"
        case .better: "BETTER"
        case .same: "WORKS UNCHANGED"
        }
    }
}

/// What was found in a project, each thing once with all of its places.
struct Assessment {
    /// A line of a file.
    struct Place: Encodable, Hashable {
        /// Relative to the directory of the project.
        let file: String
        /// From 1.
        let line: Int
    }

    /// One thing that the project uses.
    struct Finding: Encodable {
        let verdict: Verdict
        /// What the project has: a call, an import, a model, a part of a configuration.
        let subject: String
        /// What to know or do.
        let note: String?
        fileprivate(set) var places: [Place]
    }

    /// The worst first, then in the order in which they were found.
    var findings: [Finding] {
        Verdict.allCases.flatMap { verdict in found.filter { $0.verdict == verdict } }
    }

    private var found: [Finding] = []
    private var positions: [String: Int] = [:]

    /// Adds a place of something.
    mutating func add(_ verdict: Verdict, _ subject: String, _ file: String, _ line: Int, note: String? = nil) {
        let place = Place(file: file, line: line)
        let identity = "\(verdict.rawValue) \(subject) \(note ?? "")"
        guard let position = positions[identity] else {
            positions[identity] = found.count
            found.append(Finding(verdict: verdict, subject: subject, note: note, places: [place]))
            return
        }
        if found[position].places.last != place { found[position].places.append(place) }
    }

    /// Reads a project.
    mutating func read(_ project: ProjectFiles) {
        for schema in project.schemas { readSchema(schema) }
        for file in project.files { read(file) }
    }

    private mutating func read(_ file: ProjectFile) {
        switch file.kind {
        // Read with the other files of its schema.
        case .schema: break
        case .resource: readResource(file)
        case .swift: readSwift(file)
        case .outputs, .configuration, .conflicts, .backend: readConfiguration(file)
        case .manifest: readManifest(file)
        case .resolver:
            add(
                .missing, "custom resolver", file.name, 1,
                note: "The server does not run templates; do this in your own service.")
        case .function:
            add(
                .missing, "function", file.name, 1,
                note: "The server runs no functions. One that resolves conflicts or checks tokens can be a URL: "
                    + "`--conflict Model=URL`, `--authorizer URL`.")
        }
    }
}
#endif
