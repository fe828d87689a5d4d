import HoldfastEngine
import HoldfastModel

/// Reads a package list and saves it in batches.
struct Importer {
    struct Result {
        var packageCount = 0
        var dependencyCount = 0
        var maintainerCount = 0
        var sectionCount = 0
        var batchCount = 0
        var malformedCount = 0
        var faults: [String] = []

        var recordCount: Int { packageCount + dependencyCount + maintainerCount + sectionCount }
    }

    static let batchSize = 1000

    private let store: DataStore
    private var reader: PackageListReader
    private var maintainers: [String: Maintainer] = [:]
    private var sections: [String: Section] = [:]
    private var names: Set<String> = []
    private var result = Result()

    init(store: DataStore, reader: PackageListReader) {
        self.store = store
        self.reader = reader
    }

    /// Imports at most `limit` packages; of several with one name the last stays.
    mutating func run(limit: Int) async throws -> Result {
        while names.count < limit {
            let batch = try nextBatch(upTo: min(Self.batchSize, limit - names.count))
            if batch.isEmpty { break }
            try await save(batch)
            result.batchCount += 1
            if Terminal.isTerminal || result.batchCount.isMultiple(of: 10) { showProgress() }
        }
        showProgress(isLast: true)
        result.malformedCount = reader.malformedCount
        result.faults = reader.faults
        return result
    }

    private mutating func nextBatch(upTo count: Int) throws -> [PackageListEntry] {
        var batch: [PackageListEntry] = []
        var indexes: [String: Int] = [:]
        while batch.count < count, let entry = try reader.next() {
            if let index = indexes[entry.name] {
                batch[index] = entry
            } else {
                indexes[entry.name] = batch.count
                batch.append(entry)
            }
        }
        return batch
    }

    private mutating func save(_ batch: [PackageListEntry]) async throws {
        var newMaintainers: [Maintainer] = []
        var newSections: [Section] = []
        var packages: [Package] = []
        var dependencies: [Dependency] = []
        for entry in batch {
            if let contact = entry.maintainer, maintainers[contact.email] == nil {
                let maintainer = Maintainer(email: contact.email, name: contact.name)
                maintainers[contact.email] = maintainer
                newMaintainers.append(maintainer)
            }
            if let name = entry.section, sections[name] == nil {
                let section = Section(name: name)
                sections[name] = section
                newSections.append(section)
            }
            let package = Package(
                name: entry.name, version: entry.version, architecture: entry.architecture, summary: entry.summary,
                installedSize: entry.installedSize, homepage: entry.homepage, priority: entry.priority,
                maintainer: entry.maintainer.flatMap { maintainers[$0.email] },
                section: entry.section.flatMap { sections[$0] })
            packages.append(package)
            dependencies += Self.dependencies(of: package, entry.wishes)
            if !names.insert(entry.name).inserted {
                // An earlier batch brought this package in; its dependencies go, for the last one counts.
                let obsolete = Dependency.keys.package == entry.name
                result.dependencyCount -= try await store.delete(Dependency.self, where: obsolete)
            }
        }
        // Parents first: a package never leads to a maintainer or section that is not there.
        result.maintainerCount += try await store.save(newMaintainers).createdCount
        result.sectionCount += try await store.save(newSections).createdCount
        result.packageCount += try await store.save(packages).createdCount
        result.dependencyCount += try await store.save(dependencies).createdCount
    }

    /// The identifiers are made of the package's name and a number, so that lists keep the order of the input.
    private static func dependencies(of package: Package, _ wishes: [PackageListEntry.Wish]) -> [Dependency] {
        wishes.enumerated().map { index, wish in
            let number = String(index + 1).leftPadded(to: 4, with: "0")
            return Dependency(
                id: "\(package.name)/\(number)", kind: wish.kind, target: wish.target, constraint: wish.constraint,
                package: package)
        }
    }

    private func showProgress(isLast: Bool = false) {
        Terminal.progress(
            "  \(result.packageCount.grouped) packages, \(result.dependencyCount.grouped) dependencies", isLast: isLast)
    }
}
