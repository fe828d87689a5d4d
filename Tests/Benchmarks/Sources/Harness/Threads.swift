import Foundation

/// Runs work on threads, which may block, and waits for all of it.
///
/// - Parameters:
///   - count: How many threads are started.
///   - body: Called with the number of each thread, counted from 0.
/// - Throws: An error that `body` throws on one of the threads.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<count {
            group.addTask {
                try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread { continuation.resume(with: Result { try body(number) }) }
                }
            }
        }
        try await group.waitForAll()
    }
}
