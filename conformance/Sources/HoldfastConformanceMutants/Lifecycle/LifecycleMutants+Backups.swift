import Foundation
import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of what a backup carries, and of what is left of one that fails.
    static let lifecycleOfBackups: [Mutant] = [
        inBackup("backup-forgets-deletions", "In a backup nothing counts as deleted.") { hooks, trigger in
            hooks.committing = { request, base async throws(StorageError) in
                var request = request
                let count = request.preconditions.count
                request.preconditions.removeAll { if case .unchanged = $0 { true } else { false } }
                if request.preconditions.count < count { trigger.fire() }
                return try await base.commit(request)
            }
        },
        inBackup("backup-resets-versions", "In a backup every record has version 1.") { hooks, trigger in
            hooks.querying = { query, snapshot async throws(StorageError) in
                var scan = try await snapshot.query(query)
                let rows = try await scan.drain()
                trigger.fire()
                return RowsScan(
                    rows: rows.map { StoredRow($0.cells, version: 1) }, columnCount: query.projection.count)
            }
        },
        inBackup("backup-is-not-unique", "A backup does not know which indexes are unique.") { hooks, trigger in
            hooks.committing = { request, base async throws(StorageError) in
                do throws(StorageError) {
                    return try await base.commit(request)
                } catch {
                    guard error.kind == .uniqueViolation else { throw error }
                    trigger.fire()
                    return CommitReceipt(sequence: 1_000_000, putCount: 1)
                }
            }
        },
        inBackup("backup-feed-starts-late", "A feed of a backup skips what was before.") { hooks, trigger in
            hooks.feeding = { sequence, base async throws(StorageError) in
                AlteredFeed(base: try await base.changes(after: sequence)) { element in
                    switch element {
                    case .gap: break
                    case .commits(let commits):
                        if let last = commits.last, commits.count == 1 { return .commits([last]) }
                        trigger.fire()
                        return .commits(commits.suffix(1))
                    }
                    trigger.fire()
                    return nil
                }
            }
        },
        Mutant(
            "backup-in-place", "A backup is written straight to its destination.", killedBy: "LIF-021",
            wrap: { base, trigger in
                HookedAdapter(base) {
                    $0.backingUp = { destination, base async throws(StorageError) in
                        guard base.capabilities.support(for: .backup) != .unsupported else {
                            return try await base.backUp(to: destination)
                        }
                        try await base.backUp(to: destination + ".whole")
                        trigger.fire()
                        do {
                            try copyInPieces(from: destination + ".whole", to: destination)
                        } catch {
                            throw StorageError(.io, "The backup could not be written.")
                        }
                    }
                }
            }),
        Mutant(
            "failed-backup-leaves-files", "A backup that fails leaves a file behind.", killedBy: "LIF-022",
            wrap: { base, trigger in
                HookedAdapter(base) {
                    $0.backingUp = { destination, base async throws(StorageError) in
                        do throws(StorageError) {
                            try await base.backUp(to: destination)
                        } catch {
                            if error.kind == .unsupported { throw error }
                            trigger.fire()
                            let path = destination + ".partial"
                            _ = FileManager.default.createFile(atPath: path, contents: Data("partial".utf8))
                            throw error
                        }
                    }
                }
            }),
        Mutant(
            "full-backup-acknowledged", "A backup without room is acknowledged.", killedBy: "LIF-022",
            wrap: { base, trigger in
                HookedAdapter(base) {
                    $0.backingUp = { destination, base async throws(StorageError) in
                        do throws(StorageError) {
                            try await base.backUp(to: destination)
                        } catch {
                            if error.kind == .unsupported { throw error }
                            trigger.fire()
                        }
                    }
                }
            }),
        Mutant("verification-is-blind", "Verification looks at nothing.", killedBy: "LIF-023") { base, trigger in
            HookedAdapter(base) {
                $0.verifying = { base async throws(StorageError) in
                    do throws(StorageError) {
                        if try await base.verify().isEmpty { return [] }
                    } catch {
                        if error.kind == .unsupported { throw error }
                    }
                    trigger.fire()
                    return []
                }
            }
        },
        Mutant(
            "second-backup-acknowledged", "A backup to where another is being written is acknowledged at once.",
            killedBy: "LIF-025",
            wrap: { base, trigger in
                HookedAdapter(base) {
                    $0.backingUp = { destination, base async throws(StorageError) in
                        if busyDestinations.withLock({ !$0.insert(destination).inserted }) {
                            trigger.fire()
                            return
                        }
                        defer { busyDestinations.withLock { _ = $0.remove(destination) } }
                        try await base.backUp(to: destination)
                    }
                }
            }),
    ]

    /// Where a mutant of this process is writing a backup.
    private static let busyDestinations = Mutex<Set<String>>([])

    /// Where backups were made to by mutants of this process.
    private static let destinations = Mutex<[String]>([])

    /// Creates a mutant of handles on backups.
    private static func inBackup(
        _ id: String, _ summary: String,
        _ replace: @escaping @Sendable (inout HookedAdapter, MutantTrigger) -> Void
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: "LIF-024",
            wrapLocation: { location, trigger in
                MutantLocation(base: location) {
                    HookedAdapter(try location.makeAdapter()) { hooks in
                        hooks.backingUp = { destination, base async throws(StorageError) in
                            try await base.backUp(to: destination)
                            destinations.withLock { $0.append(destination) }
                        }
                        let isCopy = destinations.withLock { destinations in
                            destinations.contains { $0.hasPrefix(location.address) }
                        }
                        if isCopy { replace(&hooks, trigger) }
                    }
                }
            })
    }

    /// Moves a file, or the files of a directory, by writing them a second time.
    private static func copyInPieces(from source: String, to destination: String) throws {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: source, isDirectory: &isFolder) else { return }
        if isFolder.boolValue { try files.createDirectory(atPath: destination, withIntermediateDirectories: true) }
        for name in isFolder.boolValue ? try files.contentsOfDirectory(atPath: source).sorted() : [""] {
            let (from, to) = name.isEmpty ? (source, destination) : ("\(source)/\(name)", "\(destination)/\(name)")
            let content = files.contents(atPath: from) ?? Data()
            _ = files.createFile(atPath: to, contents: nil)
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: to))
            for start in stride(from: 0, to: content.count, by: 4_096) {
                try handle.write(contentsOf: content[start..<min(start + 4_096, content.count)])
            }
            try handle.close()
        }
        try files.removeItem(atPath: source)
    }
}
