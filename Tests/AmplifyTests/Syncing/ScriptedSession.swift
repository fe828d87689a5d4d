import AWSAPIPlugin
import Foundation
import HoldfastStorage

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session that answers requests by a function; those without an answer wait until they are cancelled.
final class ScriptedSession: URLSessionBehaviorFactory, URLSessionBehavior, Sendable {
    struct Answer {
        var status = 200
        var body = ""
        var headers: [String: String] = [:]
        var error: URLError?
    }

    private let requests = Mutex<[URLRequest]>([])
    /// An element for each request that was sent.
    let started = AsyncStream.makeStream(of: Void.self)
    private let answer: @Sendable (URLRequest) -> Answer?
    // The delegate locks itself.
    private nonisolated(unsafe) weak var delegate: (any URLSessionBehaviorDelegate)?
    private let count = Mutex(0)

    init(_ answer: @escaping @Sendable (URLRequest) -> Answer?) { self.answer = answer }

    /// The requests, in the order in which they were sent.
    var sent: [URLRequest] { requests.withLock(\.self) }

    func makeSession(withDelegate delegate: (any URLSessionBehaviorDelegate)?) -> any URLSessionBehavior {
        self.delegate = delegate
        return self
    }

    var sessionBehaviorDelegate: (any URLSessionBehaviorDelegate)? { delegate }

    func cancelAndReset() async {}

    func dataTaskBehavior(with request: URLRequest) -> any URLSessionDataTaskBehavior {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return ScriptedTask(session: self, request: request, taskBehaviorIdentifier: number, answer: answer(request))
    }

    fileprivate func start(_ task: ScriptedTask) {
        requests.withLock { $0.append(task.request) }
        started.continuation.yield()
        guard let answer = task.answer else { return }
        for byte in answer.body.utf8 {
            delegate?.urlSessionBehavior(self, dataTaskBehavior: task, didReceive: Data([byte]))
        }
        delegate?.urlSessionBehavior(self, dataTaskBehavior: task, didCompleteWithError: answer.error)
    }

    fileprivate func cancel(_ task: ScriptedTask) {
        delegate?.urlSessionBehavior(self, dataTaskBehavior: task, didCompleteWithError: URLError(.cancelled))
    }
}

private struct ScriptedTask: URLSessionDataTaskBehavior {
    let session: ScriptedSession
    let request: URLRequest
    let taskBehaviorIdentifier: Int
    let answer: ScriptedSession.Answer?

    var taskBehaviorResponse: URLResponse? {
        answer.flatMap { answer in
            request.url.flatMap {
                HTTPURLResponse(url: $0, statusCode: answer.status, httpVersion: nil, headerFields: answer.headers)
            }
        }
    }

    func cancel() { session.cancel(self) }

    func resume() { session.start(self) }
}
