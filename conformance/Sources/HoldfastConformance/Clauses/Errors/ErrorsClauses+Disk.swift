import Foundation
import HoldfastStorage

extension Clause {
    /// What a disk does to commits and reads.
    static let errorsOfDisks: [Clause] = [
        Clause(
            "ERR-008",
            "A commit for which there is no room fails as `full` and is never acknowledged: records, sequence and feed are "
                + "as before, reading works, and once there is room commits work again, at the latest in a handle opened then.",
            requires: .persistence,
            catches: "The error of a write is looked at only if it is expected; half of a commit stays in the log.",
            witness: "commits without room", measuresProcess: true
        ) { context in
            for room in [0, 1, 700, 4_096, 5_000, 9_000, 20_000, 50_000, 90_000] {
                var check = try await DiskFaultCheck(context)
                check.faults.limit(room: room)
                var failures = 0
                while failures < 3 && check.number < 60 {
                    guard let error = try await check.commit() else { continue }
                    if failures == 0 {
                        try context.expectEqual(error.kind, .full, "the kind of a commit without room (\(room) bytes)")
                    }
                    failures += 1
                    try await check.expectUnchanged("while there is no room")
                    context.witness()
                }
                check.faults.heal()
                guard failures > 0 else { continue }
                if try await check.commit() != nil {
                    try await check.reopen("once there is room again")
                    if let error = try await check.commit() {
                        throw ClauseFailure("There is room again, and a commit fails: \(error.debugDescription)")
                    }
                }
                try await check.expectUnchanged("once there is room again")
                try await check.reopen("after \(room) bytes of room")
            }
        },
        Clause(
            "ERR-009",
            "A commit during which the disk fails is not acknowledged: unless its outcome is unknown, nothing of it is "
                + "there, also after reopening or a crash of the process; what is acknowledged afterwards stays.",
            requires: .persistence,
            catches:
                "A failed sync passes for done; later commits go after the torn end of a log, which no one reads.",
            witness: "commits during which the disk failed", protectsData: true, measuresProcess: true
        ) { context in
            for call in DiskFaults.Call.allCases {
                for (number, count, dies) in (1...6).flatMap({ number in
                    [(number, 1, false), (number, 1, true), (number, Int.max, number % 2 == 0)]
                }) {
                    var check = try await DiskFaultCheck(context)
                    check.faults.fail(call, number: number, count: count)
                    for _ in 0..<4 {
                        guard let error = try await check.commit() else { continue }
                        try context.expect(
                            [.io, .closed].contains(error.kind),
                            "The kind of a commit whose \(call) \(number) fails is \(error.kind.rawValue), not io.")
                        context.witness()
                        // The moment at which what is left of it can still be seen.
                        if dies { break }
                    }
                    check.faults.heal()
                    if dies {
                        try await check.die("after \(call) \(number) failed")
                    } else {
                        // A handle may refuse to continue until it is opened again.
                        _ = try await check.commit()
                        try await check.reopen("after \(call) \(number) failed")
                    }
                    if let error = try await check.commit() {
                        throw ClauseFailure(
                            "The disk works again, and a commit after reopening fails: \(error.debugDescription)")
                    }
                    try await check.reopen("after \(call) \(number) had failed")
                }
            }
            // Commits at the same time may be written together, and a failed sync is a failure of them all.
            for number in 1...6 {
                var check = try await DiskFaultCheck(context)
                check.faults.fail(.sync, number: number)
                let errors = try await check.commitAtOnce(8)
                let hasFailed = check.faults.count > 0
                check.faults.heal()
                if hasFailed {
                    try context.expect(
                        !errors.isEmpty, "Sync \(number) failed, and every commit at that time was acknowledged.")
                    context.witness()
                }
                try await check.die("after sync \(number) of commits at the same time failed")
                if let error = try await check.commit() {
                    throw ClauseFailure(
                        "The disk works again, and a commit after reopening fails: \(error.debugDescription)")
                }
                try await check.reopen("after sync \(number) of commits at the same time had failed")
            }
        },
        Clause(
            "ERR-010",
            "A read that encounters damage or an error of the disk throws; it never ends as if there were no more.",
            requires: .persistence,
            catches: "The status of a cursor is not asked for at its end, so an error there looks like the end.",
            witness: "reads that failed", protectsData: true, measuresProcess: true
        ) { context in
            let first = try await context.open(.entries)
            let faults = try DiskFaults(of: first.location)
            let rows: [[Value]] = (0..<8_000).map {
                let row = EntitySchema.entryRow($0)
                return [row[0], row[1], .text("\($0) " + String(repeating: "x", count: 150))]
            }
            for batch in 0..<8 { try await first.put("Entry", Array(rows[batch * 1_000..<(batch + 1) * 1_000])) }
            let store = try await first.reopen()
            guard try faults.overwriteFiles() > 100_000 else {
                throw ClauseSkip("The store has no file that is large enough to be damaged.")
            }
            let byNumber = rows.enumerated().sorted { left, right in
                let numbers = (left.offset % 10, right.offset % 10)
                return numbers.0 == numbers.1 ? left.offset < right.offset : numbers.0 < numbers.1
            }.map(\.element)
            let reads: [(String, () async throws -> [[Value]], [[Value]])] = [
                ("a scan", { try await store.everything(in: "Entry") }, rows),
                ("a query", { try await store.rows(QueryPlan("Entry")) }, rows),
                ("a sorted query", { try await store.rows(QueryPlan("Entry", sort: [SortKey("number")])) }, byNumber),
                (
                    "a query by an index",
                    { try await store.rows(QueryPlan("Entry", where: .compare("number", .equal, .integer(3)))) },
                    rows.enumerated().filter { $0.offset % 10 == 3 }.map(\.element)
                ),
                (
                    "a count", { [try await store.aggregates("Entry", [.count, .sum("number")])] },
                    [[.integer(8_000), .integer(36_000)]]
                ),
                (
                    "reads by key",
                    { try await store.store.records(rows.map { RecordKey([$0[0]]) }, of: "Entry").map(\.cells) }, rows
                ),
            ]
            for (name, read, expected) in reads {
                do {
                    let found = try await read()
                    try context.expect(
                        found == expected,
                        "\(name) of a damaged store did not fail: \(SwiftText.difference(found, expected))")
                } catch let error as StorageError {
                    try context.expect(
                        [.corruption, .io, .closed].contains(error.kind),
                        "\(name) of a damaged store fails as \(error.kind.rawValue), not as corruption or io.")
                    context.witness()
                }
            }
        },
    ]
}

/// A store whose disk fails, beside what it must hold.
struct DiskFaultCheck {
    let context: ClauseContext
    let faults: DiskFaults
    /// How many commits were tried.
    private(set) var number = 0
    private var store: TestStore
    private var rows: [[Value]]
    private var acknowledged: [UInt64] = []
    private let start: UInt64
    /// Rows of commits of which it is unknown whether they are there.
    private var unknown: [[Value]] = []
    /// Whether there were any, so that feeds may report more commits than were acknowledged.
    private var hadUnknown = false

    init(_ context: ClauseContext) async throws {
        self.context = context
        let location = try await context.makeLocation()
        let faults = try DiskFaults(of: location)
        self.faults = faults
        context.closesLater { faults.heal() }
        store = try await context.open(.entries, at: location)
        rows = EntitySchema.entryRows(0..<50)
        start = try await store.put("Entry", rows).sequence
    }

    /// Commits one record more, of some kilobytes.
    ///
    /// - Returns: The error, or `nil` if the commit was acknowledged.
    mutating func commit() async throws -> StorageError? {
        let row = nextRow()
        do {
            let receipt = try await store.put("Entry", [row])
            acknowledged.append(receipt.sequence)
            rows.append(row)
            return nil
        } catch let error as StorageError {
            if error.transaction == .outcomeUnknown { unknown.append(row) }
            return error
        }
    }

    /// Commits a number of records more, each by itself and all at the same time.
    ///
    /// - Returns: The errors.
    mutating func commitAtOnce(_ count: Int) async throws -> [StorageError] {
        let store = store.store
        let outcomes = await withTaskGroup(of: (row: [Value], Result<CommitReceipt, StorageError>).self) { group in
            for row in (0..<count).map({ _ in nextRow() }) {
                group.addTask {
                    let request = CommitRequest(operations: [
                        .put(entity: "Entry", rows: RowBuffer(row: row), mode: .upsert)
                    ])
                    do throws(StorageError) {
                        return (row, .success(try await store.commit(request)))
                    } catch {
                        return (row, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var errors: [StorageError] = []
        for (row, outcome) in outcomes {
            switch outcome {
            case .success(let receipt):
                acknowledged.append(receipt.sequence)
                rows.append(row)
            case .failure(let error):
                if error.transaction == .outcomeUnknown { unknown.append(row) }
                errors.append(error)
            }
        }
        acknowledged.sort()
        return errors
    }

    private mutating func nextRow() -> [Value] {
        number += 1
        return [
            EntitySchema.entryRow(1_000 + number)[0], .integer(Int64(number)),
            .text(String(repeating: "\(number % 10)", count: 6_000)),
        ]
    }

    /// Compares what the open store holds with what was acknowledged.
    func expectUnchanged(_ when: String) async throws {
        try expectHolds(try await store.everything(in: "Entry"), when)
        guard unknown.isEmpty else { return }
        let sequence = try await store.store.withSnapshot { $0.sequence }
        try context.expectEqual(sequence, acknowledged.last ?? start, "the sequence \(when)")
        let indexed = try await store.rows(QueryPlan("Entry", sort: [SortKey("number")]))
        try context.expectEqual(indexed.count, rows.count, "the records by an index \(when)")
    }

    /// Opens what a crash of the process would leave, and compares it with what was acknowledged.
    mutating func die(_ when: String) async throws {
        let location = try await context.makeLocation()
        let other = try DiskFaults(of: location)
        try? FileManager.default.removeItem(atPath: other.path)
        try FileManager.default.copyItem(atPath: faults.path, toPath: other.path)
        try await open(location, when)
    }

    /// Opens the store again, and compares what it holds and what feeds report with what was acknowledged.
    mutating func reopen(_ when: String) async throws {
        try? await store.store.close()
        try await open(store.location, when)
    }

    private mutating func open(_ location: any StoreLocation, _ when: String) async throws {
        store = try await context.open(.entries, at: location)
        let found = try await store.everything(in: "Entry")
        try expectHolds(found, "\(when), reopened")
        if !unknown.isEmpty { hadUnknown = true }
        unknown = []
        rows = found
        let capabilities = store.store.capabilities
        if capabilities.support(for: .verification) != .unsupported {
            try context.expectEqual(try await store.store.verify(), [], "the defects that verify() finds \(when)")
        }
        guard let last = acknowledged.last, !hadUnknown, capabilities.support(for: .changeFeed) != .unsupported else {
            return
        }
        var feed = try await FeedReader(store, after: start, context)
        let delivered = try await feed.commits(through: last).map(\.sequence)
        await feed.close()
        try context.expectEqual(delivered, acknowledged, "the commits that a feed reports \(when)")
    }

    private func expectHolds(_ found: [[Value]], _ when: String) throws {
        if let lost = rows.first(where: { !found.contains($0) }) {
            throw ClauseFailure("A record that was acknowledged is lost \(when): \(SwiftText.value(lost[0]))")
        }
        if let extra = found.first(where: { !rows.contains($0) && !unknown.contains($0) }) {
            throw ClauseFailure(
                "A record of a commit that failed, with a known outcome, is there \(when): \(SwiftText.value(extra[0]))"
            )
        }
    }
}
