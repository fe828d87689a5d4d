import Foundation
import HoldfastStorage

/// A child that makes some commits of a random history, and may kill itself on the way.
struct ReplayWorker {
    private let seed: UInt64
    private let stepCount: Int
    private let hasUniqueIndexes: Bool
    private let first: Int
    private let last: Int
    private let delay: UInt32
    /// The adapter's sequences of the commits before, each after the reference's.
    private let sequences: [(UInt64, UInt64)]

    /// - Parameter parameters: Seed, steps, whether indexes may be unique, the first commit, the one in which it dies,
    ///   how many microseconds after that has begun (0: once it is acknowledged), and the sequences so far as
    ///   `reference:adapter`.
    init(_ parameters: [String]) {
        let numbers = parameters.prefix(6).map { UInt64($0) ?? 0 }
        seed = numbers[0]
        stepCount = Int(numbers[1])
        hasUniqueIndexes = numbers[2] == 1
        first = Int(numbers[3])
        last = Int(numbers[4])
        delay = UInt32(numbers[5])
        sequences = parameters.dropFirst(6).compactMap { pair in
            let parts = pair.split(separator: ":").compactMap { UInt64($0) }
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
    }

    func run(at location: any StoreLocation) async throws {
        var history = try CommitHistory(seed: seed, stepCount: stepCount, hasUniqueIndexes: hasUniqueIndexes)
        for request in history.requests.prefix(first) { _ = history.advance(request, sequence: 0) }
        for (model, adapter) in sequences { history.note(adapter, of: model) }
        let store = try await Store.open(
            try location.makeAdapter(), schema: StorageSchema(entities: history.entities))
        for (number, request) in history.requests.enumerated().dropFirst(first) {
            if number == last && delay > 0 { Self.dieSoon(after: delay) }
            do throws(StorageError) {
                let receipt = try await store.commit(history.translated(request))
                _ = history.advance(request, sequence: receipt.sequence)
                WorkerJob.say("ack \(number) \(receipt.sequence)")
            } catch {
                WorkerJob.say("refused \(number) \(error.kind.rawValue)")
            }
            if number == last && delay == 0 { kill(getpid(), SIGKILL) }
        }
        try await store.close()
        WorkerJob.say("end")
    }

    private static func dieSoon(after delay: UInt32) {
        Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
    }
}
