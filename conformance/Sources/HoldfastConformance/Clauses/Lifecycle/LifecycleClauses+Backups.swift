import Foundation
import HoldfastStorage

extension Clause {
    /// What a backup carries, and what is left of one that fails.
    static let lifecycleOfBackups: [Clause] = [
        Clause(
            "LIF-021",
            "A process killed at any write of a backup leaves nothing at the destination, or a whole store; what it leaves "
                + "beside it does not disturb the next backup.",
            requires: .feature(.backup),
            catches: "A backup is written straight to its destination, where a half of it passes for a store.",
            witness: "backups during which the process was killed", protectsData: true
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<900)
            try await store.put("Entry", rows)
            try await store.store.close()
            _ = try DiskFaults(of: store.location)
            var (number, step) = (1, 1)
            while number < 5_000 {
                let backup = try await backupLocation(context)
                let faults = try DiskFaults(of: backup.location)
                let worker = try context.start(
                    .backUp, at: store.location, [backup.destination, faults.path, "\(number)"])
                var said: [String] = []
                for await line in worker.lines { said.append(line) }
                context.noteMutants(in: said)
                let end = await worker.end()
                if let failure = said.first(where: { $0.hasPrefix("failed") }) {
                    throw ClauseFailure("A backup in another process failed: \(failure)")
                }
                let subject = "killed at write \(number) of a backup"
                let isDone = said.contains("backed up")
                try context.expect(isDone || end.signal == 9, "The child ended with \(end), \(subject).")
                if try await !isWhole(backup.location, store.store.schema, rows, subject, context) {
                    try context.expect(!isDone, "A backup that was acknowledged is not there.")
                    let again = try await context.open(store.store.schema, at: store.location)
                    try await again.store.backUp(to: backup.destination)
                    try await again.store.close()
                    let isThere = try await isWhole(
                        backup.location, store.store.schema, rows, "made after one \(subject)", context)
                    try context.expect(isThere, "A backup made after one \(subject) is not there.")
                }
                if isDone { return }
                context.witness()
                (number, step) = (number + step, step + number / 4)
            }
            throw ClauseFailure("A backup of 900 records makes more than 5,000 writes.")
        },
        Clause(
            "LIF-022",
            "A backup that is refused or fails leaves no file that was not there before, and a later one succeeds.",
            requires: .feature(.backup),
            catches: "A file beside the destination is left behind, and fills the disk that was full already.",
            witness: "backups that failed", measuresProcess: true
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<2_000)
            try await store.put("Entry", rows)
            func files(around destination: String) throws -> [String] {
                let url = URL(fileURLWithPath: destination)
                let (folder, name) = (url.deletingLastPathComponent().path, url.lastPathComponent)
                let found = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(name) }
                return found.sorted().flatMap { name in
                    [name]
                        + (FileManager.default.enumerator(atPath: "\(folder)/\(name)")?.compactMap { $0 as? String }
                            ?? [])
                }
            }
            let backup = try await backupLocation(context)
            guard backup.destination.hasPrefix("/") else {
                throw ClauseSkip("The destination of a backup is not a path.")
            }
            for destination in [backup.destination + "-missing/deep", backup.destination + "-missing/deep/deeper"] {
                try await context.expectError(.io, from: "a backup to a directory that does not exist") {
                    try await store.store.backUp(to: destination)
                }
                try context.expectEqual(try files(around: backup.destination), [], "the files after a backup failed")
                context.witness()
            }
            if let faults = try? DiskFaults(of: backup.location) {
                context.closesLater { faults.heal() }
                for room in [0, 3_000, 9_000, 40_000] {
                    faults.limit(room: room)
                    let error = await storageError { try await store.store.backUp(to: backup.destination) }
                    faults.heal()
                    guard let error else { throw ClauseFailure("A backup in \(room) bytes of room succeeded.") }
                    try context.expect(
                        error.kind == .full || error.kind == .io,
                        "A backup without room fails as \(error.kind.rawValue), not as full or io.")
                    try context.expectEqual(
                        try files(around: backup.destination), [], "the files after a backup in \(room) bytes of room")
                    context.witness()
                }
            }
            try await store.store.backUp(to: backup.destination)
            let before = try files(around: backup.destination)
            try await context.expectError(.io, from: "a backup to where something exists") {
                try await store.store.backUp(to: backup.destination)
            }
            try context.expectEqual(
                try files(around: backup.destination), before, "the files after a backup was refused")
            context.witness()
            try await context.open(store.store.schema, at: backup.location).expectHolds("Entry", rows)
        },
        Clause(
            "LIF-023", "Verification finds damage: it reports it, or fails as corruption.",
            requires: .all([.feature(.verification), .persistence]),
            catches: "A check that looks at nothing calls every store sound.", witness: "damage that was found",
            protectsData: true, measuresProcess: true
        ) { context in
            func expectFound(_ store: TestStore, _ damage: String) async throws {
                do {
                    let defects = try await store.store.verify()
                    try context.expect(!defects.isEmpty, "verify() finds nothing in a store \(damage).")
                } catch let error as StorageError {
                    try context.expect(
                        [.corruption, .io].contains(error.kind), "verify() fails as \(error.kind.rawValue).")
                }
                context.witness()
            }
            func filled() async throws -> TestStore {
                let store = try await context.open(.entries)
                for batch in 0..<6 {
                    try await store.put("Entry", EntitySchema.entryRows(batch * 1_000..<batch * 1_000 + 1_000))
                }
                return store
            }
            let first = try await filled()
            if let faults = try? DiskFaults(of: first.location) {
                let store = try await first.reopen()
                if try faults.overwriteFiles() > 10_000 { try await expectFound(store, "whose pages were overwritten") }
            } else if let repair = try await context.harness.damage(first.location, .cutShort) {
                // A server keeps the store: what it has lost is missing under an open handle, too.
                try await expectFound(first, "of which a part was taken away while it was open")
                try await repair.run()
            }
            let second = try await filled()
            try await second.store.close()
            guard let repair = try await context.harness.damage(second.location, .cutShort) else { return }
            do {
                try await expectFound(
                    try await context.open(second.store.schema, at: second.location), "whose second half is gone")
            } catch let error as StorageError where error.kind == .corruption {
                context.witness()
            }
            try await repair.run()
        },
        Clause(
            "LIF-024",
            "A backup answers as its source does: records with their versions, preconditions over what was changed and "
                + "deleted before it, unique indexes, and feeds.",
            requires: .feature(.backup),
            catches: "Only the records are copied: deletions are forgotten, and every version is that of the copying.",
            witness: "questions that the store and its backup answered alike", protectsData: true
        ) { context in
            let isUnique = try await context.declaredCapabilities().support(for: .uniqueIndexes) != .unsupported
            let entity = EntitySchema(
                "Entry", fields: EntitySchema.entries.fields,
                indexes: [
                    IndexSchema("byNumber", on: ["number"]), IndexSchema("byText", on: ["text"], isUnique: isUnique),
                ])
            let store = try await context.open(entity)
            func row(_ number: Int, _ round: Int) -> [Value] {
                [EntitySchema.entryRow(number)[0], .integer(Int64(round)), .text("\(number) in \(round)")]
            }
            var sequences = [try await store.put("Entry", (0..<90).map { row($0, 0) }).sequence]
            for round in 1..<7 {
                let numbers = (0..<90).filter { $0 % 7 == round }
                sequences.append(try await store.put("Entry", numbers.map { row($0, round) }).sequence)
                if round % 2 == 0 {
                    let key = RecordKey([row(round * 11, 0)[0]])
                    sequences.append(try await store.delete("Entry", [key]).sequence)
                }
            }
            let backup = try await backupLocation(context)
            try await store.store.backUp(to: backup.destination)
            let copy = try await context.open(store.store.schema, at: backup.location)
            let records = try await store.store.rows(QueryPlan("Entry"))
            try context.expectEqual(
                try await copy.store.rows(QueryPlan("Entry")), records, "the records and versions of a backup")
            let keys = (0..<91).map { RecordKey([row($0, 0)[0]]) }
            try context.expectEqual(
                try await copy.store.records(keys, of: "Entry"), try await store.store.records(keys, of: "Entry"),
                "the records of a backup by key")
            var questions: [Precondition] = []
            for since in sequences {
                questions.append(.unchanged(KeyRange("Entry"), since: since))
                for number in [0, 22, 44, 66, 3] {
                    let key = [row(number, 0)[0]]
                    questions.append(
                        .unchanged(KeyRange("Entry", from: .included(key), to: .included(key)), since: since))
                }
            }
            for record in records {
                let key = RecordKey([record.cells[0]])
                for version: UInt64 in [record.version, 1, sequences[0]] {
                    questions.append(.version(entity: "Entry", key: key, version))
                }
            }
            for key in keys.prefix(70) {
                questions += [.absent(entity: "Entry", key: key), .present(entity: "Entry", key: key)]
            }
            for question in questions {
                let (expected, found) = (
                    await storageError { try await store.commit([], if: [question]) },
                    await storageError { try await copy.commit([], if: [question]) }
                )
                try context.expect(
                    expected?.kind == found?.kind,
                    "\(question): the store says \(expected?.kind.rawValue ?? "yes"), its backup "
                        + "\(found?.kind.rawValue ?? "yes")")
                context.witness()
            }
            if isUnique {
                let taken: [Value] = [.text("twin"), .null, records[5].cells[2]]
                try await context.expectError(.uniqueViolation, from: "a duplicate in a backup") {
                    try await copy.put("Entry", [taken])
                }
            }
            let next = try await copy.put("Entry", [[.text("z"), .integer(1), .text("new")]]).sequence
            try context.expect(
                next > sequences[sequences.count - 1], "The first commit to a backup has sequence \(next).")
            guard copy.store.capabilities.support(for: .changeFeed) != .unsupported else { return }
            var feed = try await FeedReader(copy, after: sequences[2], context)
            var (reached, delivered) = (sequences[2], [] as [UInt64])
            while reached < next {
                switch try await feed.next() {
                case .commits(let commits)?:
                    delivered += commits.map(\.sequence)
                    reached = commits.last?.sequence ?? reached
                case .gap(let through)?:
                    delivered = sequences.filter { $0 > sequences[2] && $0 <= through }
                    reached = through
                case nil: throw ClauseFailure("The feed of a backup ended.")
                }
            }
            try context.expectEqual(
                delivered, Array(sequences[3...]) + [next], "the commits that a backup reports, or says are gone")
        },
        Clause(
            "LIF-025",
            "Of several backups to one destination at once one succeeds, and is whole when it does; the others fail "
                + "with io or busy and leave it as it is.",
            requires: .feature(.backup),
            catches: "All write under one name beside the destination; the first to end takes what another has begun.",
            witness: "backups that another one kept out", protectsData: true
        ) { context in
            let store = try await context.open(.entries)
            let rows = EntitySchema.entryRows(0..<2_000)
            try await store.put("Entry", rows)
            for _ in 0..<5 {
                let backup = try await backupLocation(context)
                @Sendable func expectWhole(_ when: String) async throws {
                    let isThere = try await isWhole(backup.location, store.store.schema, rows, when, context)
                    try context.expect(isThere, "A backup that was acknowledged is not there, \(when).")
                }
                let errors = try await withThrowingTaskGroup(of: StorageError?.self) { group in
                    for _ in 0..<6 {
                        group.addTask {
                            let error = await storageError { try await store.store.backUp(to: backup.destination) }
                            if error == nil { try await expectWhole("while others are being made") }
                            return error
                        }
                    }
                    return try await group.reduce(into: [StorageError?]()) { $0.append($1) }
                }
                let failures = errors.compactMap(\.self)
                try context.expectEqual(errors.count - failures.count, 1, "the backups that succeeded")
                for error in failures {
                    try context.expect(
                        error.kind == .io || error.kind == .busy,
                        "A backup that another one keeps out fails as \(error.kind.rawValue), not as io or busy.")
                    context.witness()
                }
                try await expectWhole("after all have ended")
            }
        },
    ]

    /// A location for a backup, which is removed after the check.
    ///
    /// - Throws: ``ClauseSkip`` if the harness has none.
    static func backupLocation(_ context: ClauseContext) async throws -> BackupLocation {
        guard let backup = try await context.harness.makeBackupLocation() else {
            throw ClauseSkip("The harness has no makeBackupLocation().")
        }
        context.removesLater(backup.location)
        return backup
    }

    /// Whether there is a store, which must then be whole.
    private static func isWhole(
        _ location: any StoreLocation, _ schema: StorageSchema, _ rows: [[Value]], _ subject: String,
        _ context: ClauseContext
    ) async throws -> Bool {
        let adapter = try location.makeAdapter()
        do {
            try await adapter.open(OpenRequest(schema: schema, createsStore: false))
        } catch {
            try context.expectEqual(error.kind, .incompatibleStore, "opening what is there, \(subject)")
            return false
        }
        try await adapter.close()
        let copy = try await context.open(schema, at: location)
        try await copy.expectHolds("Entry", rows).store.close()
        return true
    }
}
