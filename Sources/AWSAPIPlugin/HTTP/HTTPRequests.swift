import Amplify
import Foundation
import HoldfastStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests over HTTP, each with its whole answer; all on one session, which is made with the first.
final class HTTPRequests: Sendable {
    private let factory: any URLSessionBehaviorFactory
    private let answers = HTTPAnswers()
    private let session = Mutex<(any URLSessionBehavior)?>(nil)

    init(_ factory: any URLSessionBehaviorFactory) { self.factory = factory }

    deinit {
        // A session of Foundation keeps its delegate until then.
        session.withLock { ($0 as? URLSession)?.invalidateAndCancel() }
    }

    /// Sends a request.
    ///
    /// - Returns: The answer, whatever its status.
    /// - Throws: `APIError` `.networkError` if there is none; `CancellationError`.
    func send(_ request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse) {
        try Task.checkCancellation()
        let session = session.withLock { session in
            let made = session ?? factory.makeSession(withDelegate: answers)
            session = made
            return made
        }
        let task = session.dataTaskBehavior(with: request)
        return try await withTaskCancellationHandler {
            try await answers.answer(to: task)
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends everything in progress.
    func reset() async {
        let session = session.withLock { session in
            defer { session = nil }
            return session
        }
        await session?.cancelAndReset()
    }
}

/// Collects what the tasks of a session deliver.
// The mutex protects the state.
final class HTTPAnswers: NSObject, URLSessionBehaviorDelegate, URLSessionDataDelegate, @unchecked Sendable {
    private struct Pending {
        var body = Data()
        let continuation: CheckedContinuation<(body: Data, response: HTTPURLResponse), any Error>
    }

    private let pending = Mutex<[Int: Pending]>([:])

    /// More of an answer is not read.
    private static let maximumSize = 64 << 20

    func answer(
        to task: any URLSessionDataTaskBehavior
    ) async throws -> (body: Data, response: HTTPURLResponse) {
        try await withCheckedThrowingContinuation { continuation in
            let number = task.taskBehaviorIdentifier
            pending.withLock { $0[number] = Pending(continuation: continuation) }
            task.resume()
            // A task that was cancelled before may have ended before anyone waited for it.
            guard Task.isCancelled else { return }
            pending.withLock { $0.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
        }
    }

    func urlSessionBehavior(
        _ session: any URLSessionBehavior, dataTaskBehavior: any URLSessionDataTaskBehavior, didReceive data: Data
    ) {
        let number = dataTaskBehavior.taskBehaviorIdentifier
        let tooLong = pending.withLock { pending -> Pending? in
            guard let size = pending[number]?.body.count else { return nil }
            if size + data.count > Self.maximumSize { return pending.removeValue(forKey: number) }
            pending[number]?.body.append(data)
            return nil
        }
        guard let tooLong else { return }
        tooLong.continuation.resume(
            throwing: APIError.networkError("The answer is longer than \(Self.maximumSize) bytes."))
        dataTaskBehavior.cancel()
    }

    func urlSessionBehavior(
        _ session: any URLSessionBehavior, dataTaskBehavior: any URLSessionDataTaskBehavior,
        didCompleteWithError error: (any Error)?
    ) {
        let number = dataTaskBehavior.taskBehaviorIdentifier
        guard let done = pending.withLock({ $0.removeValue(forKey: number) }) else { return }
        if let error {
            let isCancelled = (error as? URLError)?.code == .cancelled
            done.continuation.resume(
                throwing: isCancelled
                    ? CancellationError() : APIError.networkError("The service did not answer.", nil, error))
        } else if let response = dataTaskBehavior.taskBehaviorResponse as? HTTPURLResponse {
            done.continuation.resume(returning: (done.body, response))
        } else {
            done.continuation.resume(throwing: APIError.networkError("The answer is not one of HTTP."))
        }
    }

    // MARK: - URLSession

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(request.redirected(from: task.currentRequest?.url))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        urlSessionBehavior(session, dataTaskBehavior: dataTask, didReceive: data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let task = task as? URLSessionDataTask else { return }
        urlSessionBehavior(session, dataTaskBehavior: task, didCompleteWithError: error)
    }
}

extension URLRequest {
    /// Headers that say nothing of who makes a request.
    private static let harmlessHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "content-language", "content-type", "range", "user-agent",
    ]

    /// The request to which another is redirected: credentials do not go to another place, in whatever header they are.
    fileprivate func redirected(from origin: URL?) -> URLRequest {
        guard let origin, let url, origin.scheme == url.scheme, origin.host == url.host, origin.port == url.port else {
            var request = self
            request.allHTTPHeaderFields = nil
            for (name, value) in allHTTPHeaderFields ?? [:] where Self.harmlessHeaders.contains(name.lowercased()) {
                request.setValue(value, forHTTPHeaderField: name)
            }
            return request
        }
        return self
    }
}
