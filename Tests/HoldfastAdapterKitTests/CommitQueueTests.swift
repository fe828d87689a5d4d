import Foundation
import HoldfastStorage
import Testing

@testable import HoldfastAdapterKit

@Suite struct CommitQueueTests {
    /// Numbers commits, refuses those with a precondition, and can be held up.
    private final class Writer: GroupWriter {
        let groups = Mutex<[Int]>([])
        let gate = Mutex<Void>(())
        let sequence = Mutex<UInt64>(0)

        func commit(_ requests: [CommitRequest], _ durability: Durability) -> [Result<CommitReceipt, StorageError>] {
            gate.withLock { _ in }
            groups.withLock { $0.append(requests.count) }
            return requests.map { request in
                if !request.preconditions.isEmpty { return .failure(StorageError(.preconditionFailed, "No.")) }
                return .success(CommitReceipt(sequence: sequence.increment()))
            }
        }
    }

    @Test func everyCommitGetsItsOwnOutcome() async throws {
        let queue = CommitQueue(label: "test", writer: Writer())
        let outcomes = await withTaskGroup(of: (Int, StorageError?).self) { group in
            for number in 0..<200 {
                group.addTask {
                    var request = CommitRequest()
                    if number.isMultiple(of: 5) { request.preconditions = [.absent(entity: "E", key: RecordKey("k"))] }
                    do throws(StorageError) {
                        _ = try await queue.commit(request)
                        return (number, nil)
                    } catch {
                        return (number, error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (number, error) in outcomes { #expect((error?.kind == .preconditionFailed) == number.isMultiple(of: 5)) }
    }

    /// A group of mixed durability would make the one wait for the other's rows, and the other for the disk.
    @Test func theCommitsOfAGroupAskForTheSameDurability() async throws {
        let durabilities: [Durability?] = [nil, Durability.none, .processCrash, .powerLoss]
        let writer = SortingWriter(expectedCount: 200)
        let queue = CommitQueue(label: "test", writer: writer)
        writer.queue.store(queue)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    var request = CommitRequest()
                    request.durability = durabilities[number % durabilities.count]
                    _ = try await queue.commit(request)
                }
            }
            try await group.waitForAll()
        }
        let groups = writer.groups.load()
        #expect(groups.reduce(0) { $0 + $1.asked.count } == 200)
        for (durability, asked) in groups { #expect(asked.allSatisfy { $0 ?? .powerLoss == durability }) }
        #expect(groups.count == 3)
    }

    /// Notes what the commits of each group ask for; the first group waits until all commits are in the queue.
    private final class SortingWriter: GroupWriter {
        /// The queue, until the first group takes its commits.
        let queue = Mutex<CommitQueue?>(nil)
        let groups = Mutex<[(durability: Durability, asked: [Durability?])]>([])
        private let expectedCount: Int

        init(expectedCount: Int) { self.expectedCount = expectedCount }

        func begin(_ durability: Durability) throws(StorageError) {
            while let queue = queue.load(), queue.waitingCount < expectedCount { usleep(100) }
            queue.store(nil)
        }

        func commit(_ requests: [CommitRequest], _ durability: Durability) -> [Result<CommitReceipt, StorageError>] {
            groups.withLock { $0.append((durability, requests.map(\.durability))) }
            return requests.map { _ in .success(CommitReceipt(sequence: 1)) }
        }
    }

    @Test func nothingIsTakenAfterTheEnd() async throws {
        let queue = CommitQueue(label: "test", writer: Writer())
        #expect(try await queue.commit(CommitRequest()).sequence == 1)
        await queue.finish()
        await queue.finish()
        await #expect(throws: StorageError(.closed, "")) { try await queue.commit(CommitRequest()) }
    }

    @Test func aCommitThatIsCancelledBeforeItsGroupHasNoEffect() async throws {
        let writer = Writer()
        let queue = CommitQueue(label: "test", writer: writer)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.commit(CommitRequest())
        }
        await #expect(throws: StorageError(.cancelled, "")) { try await task.value }
        #expect(try await queue.commit(CommitRequest()).sequence == 1)
    }

    @Test func theCallerCanCarryOutItsCommits() async throws {
        let writer = Writer()
        let queue = CommitQueue(WorkQueue(label: "test", runsOnCaller: true), writer: writer)
        for number in 1...3 { #expect(try await queue.commit(CommitRequest()).sequence == UInt64(number)) }
        #expect(writer.groups.withLock { $0 } == [1, 1, 1])
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.commit(CommitRequest())
        }
        await #expect(throws: StorageError(.cancelled, "")) { try await cancelled.value }
        await queue.finish()
        await #expect(throws: StorageError(.closed, "")) { try await queue.commit(CommitRequest()) }
    }

    @Test func workOnTheCallerIsDoneBeforeTheCallReturns() async throws {
        let queue = WorkQueue(label: "test", runsOnCaller: true)
        let order = Mutex<[Int]>([])
        queue.enqueue { order.withLock { $0.append(1) } }
        #expect(order.withLock { $0 } == [1])
        #expect(try await queue.run { () throws(StorageError) in 2 } == 2)
        await #expect(throws: StorageError(.full, "")) {
            try await queue.run { () throws(StorageError) in throw StorageError(.full, "") }
        }
    }
}
