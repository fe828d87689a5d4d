import HoldfastEngine
import HoldfastModel

/// Asks the store all kinds of questions.
struct Tour {
    let store: DataStore
    private let keys = Package.keys

    init(store: DataStore) { self.store = store }

    func run(_ report: inout Report) async throws {
        _ = try await report.measure("count packages", records: { $0 }) {
            try await store.count(Package.self)
        }
        try await lookUp("apt", &report)
        try await largeGames(&report)
        try await texts(&report)
        try await combined(&report)
        try await dependents(of: "libc6", &report)
        _ = try await report.measure("outbox: changes that await a service", records: { $0 }) {
            try await store.outboxCount()
        }
    }

    /// A point lookup, and the relations of what it finds, which are loaded when asked for.
    private func lookUp(_ name: String, _ report: inout Report) async throws {
        let found = try await report.measure("look up '\(name)' by its key", records: { $0 == nil ? 0 : 1 }) {
            try await store.query(Package.self, byId: name)
        }
        guard let package = found else { return Terminal.line("  not in this list") }
        Terminal.line("  \(package.name) \(package.version): \(package.summary)")

        let dependencies = try await report.measure("  its maintainer, section and dependencies", records: \.count) {
            let maintainer = try await package.maintainer
            let section = try await package.section
            Terminal.line("  in \(section?.name ?? "no section"), looked after by \(maintainer?.name ?? "no one")")
            try await package.dependencies?.fetch()
            return package.dependencies?.elements ?? []
        }
        for dependency in dependencies.prefix(4) {
            let constraint = dependency.constraint.map { " (\($0))" } ?? ""
            Terminal.line("  \(dependency.kind) \(dependency.target)\(constraint)")
        }
    }

    /// A predicate with a sort, page by page.
    private func largeGames(_ report: inout Report) async throws {
        for page: UInt in 0..<2 {
            let games = try await report.measure("games above 10 MB, largest first, page \(page + 1)", records: \.count)
            {
                try await store.query(
                    Package.self, where: keys.section == "games" && keys.installedSize > 10 * 1024,
                    sort: .descending(keys.installedSize), paginate: .page(page, limit: 10))
            }
            for game in games {
                let size = "\((game.installedSize / 1024).grouped) MB".leftPadded(to: 10)
                Terminal.line("  \(size)  \(game.name)")
            }
        }
    }

    private func texts(_ report: inout Report) async throws {
        let python = try await report.measure("names that begin with 'python3-'", records: \.count) {
            try await store.query(Package.self, where: keys.name.beginsWith("python3-"))
        }
        show(python)
        let databases = try await report.measure("summaries that contain 'database'", records: \.count) {
            try await store.query(Package.self, where: keys.summary.contains("database"))
        }
        show(databases)
    }

    private func combined(_ report: inout Report) async throws {
        let isEssential = keys.priority == PackagePriority.required || keys.priority == PackagePriority.important
        let essential = try await report.measure("required || important, and !a library", records: \.count) {
            try await store.query(
                Package.self, where: isEssential && !(keys.name.beginsWith("lib")), sort: .ascending(keys.name))
        }
        show(essential)
    }

    private func dependents(of name: String, _ report: inout Report) async throws {
        let wishes = Dependency.keys
        let dependsOnIt =
            wishes.target == name
            && (wishes.kind == DependencyKind.depends || wishes.kind == DependencyKind.preDepends)
        _ = try await report.measure("what depends on '\(name)'", records: { $0 }) {
            try await store.count(Dependency.self, where: dependsOnIt)
        }
    }

    private func show(_ packages: [Package]) {
        guard !packages.isEmpty else { return }
        let names = packages.prefix(5).map(\.name).joined(separator: ", ")
        Terminal.line("  " + names + (packages.count > 5 ? ", …" : ""))
    }
}
