import Foundation
import HoldfastStorage

/// A child that loads a store until it dies.
struct CrashWorker {
    /// An instant at which the child kills itself.
    enum Instant: String, CaseIterable {
        case beforeOpen = "before-open"
        case afterOpen = "after-open"
        case beforeCommit = "before-commit"
        /// The adapter has returned; the commit has not been reported yet.
        case afterCommit = "after-commit"
        case afterAcknowledgement = "after-acknowledgement"
        case inSnapshot = "in-snapshot"
        case beforeClose = "before-close"
        case afterClose = "after-close"
        /// Somewhere in a commit, on another thread.
        case duringCommit = "during-commit"
        /// Not at all: the parent kills, or the load ends.
        case never
    }

    /// Of every step; `nil` for `CrashHistory.durability(of:)`.
    private let durability: Durability?
    private let instant: Instant
    /// The step at which the instant is due.
    private let step: Int
    private let stepCount: Int

    /// - Parameter parameters: Durability, instant, step at which it is due, number of steps.
    init(_ parameters: [String]) {
        durability = Durability.allCases.first { "\($0)" == parameters.first }
        instant = parameters.dropFirst().first.flatMap(Instant.init) ?? .never
        step = parameters.dropFirst(2).first.flatMap { Int($0) } ?? 0
        stepCount = parameters.dropFirst(3).first.flatMap { Int($0) } ?? .max
    }

    /// The parameters that ``init(_:)`` reads.
    static func parameters(
        _ durability: Durability?, _ instant: Instant, step: Int, stepCount: Int = .max
    ) -> [String] {
        [durability.map { "\($0)" } ?? "mixed", instant.rawValue, "\(step)", "\(stepCount)"]
    }

    func run(at location: any StoreLocation) async throws {
        if instant == .beforeOpen { Self.die() }
        let store = try await Store.open(
            try location.makeAdapter(), schema: StorageSchema(entities: CrashHistory.entities))
        if instant == .afterOpen { Self.die() }
        var rows = RowBuffer()
        try await store.get([RecordKey("head")], of: "Head", into: &rows)
        var number = 0
        if rows.versions[0] > 0, case .integer(let last) = rows[0, 1] { number = Int(last) + 1 }
        WorkerJob.say("from \(number)")
        let first = number
        let clock = ContinuousClock()
        var longest = Duration.zero
        while number < stepCount {
            let isDue = number - first == step
            if isDue && instant == .beforeCommit { Self.die() }
            if isDue && instant == .inSnapshot { try await store.withSnapshot { _ in Self.die() } }
            if isDue && instant == .duringCommit {
                // A part of what a commit takes on this machine, another one for each number.
                Self.dieSoon(after: longest * (Double(number * 131 % 700) / 700))
            }
            let start = clock.now
            _ = try await store.commit(
                CommitRequest(
                    operations: CrashHistory.operations(number),
                    durability: durability ?? CrashHistory.durability(of: number)))
            longest = max(longest, clock.now - start)
            if isDue && instant == .afterCommit { Self.die() }
            WorkerJob.say("ack \(number)")
            if isDue && instant == .afterAcknowledgement { Self.die() }
            if isDue && (instant == .beforeClose || instant == .afterClose) { break }
            number += 1
        }
        if instant == .beforeClose { Self.die() }
        try await store.close()
        if instant == .afterClose { Self.die() }
        WorkerJob.say("end")
    }

    private static func die() {
        kill(getpid(), SIGKILL)
        while true { sleep(1) }
    }

    private static func dieSoon(after delay: Duration) {
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: delay.inSeconds)
            die()
        }
    }
}
