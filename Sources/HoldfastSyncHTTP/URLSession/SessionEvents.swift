#if Sync
internal import Foundation
internal import HoldfastStorage
internal import HoldfastSync

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Hears what becomes of the tasks of a session.
// The mutex protects the state.
final class SessionEvents: NSObject, URLSessionDataDelegate, URLSessionWebSocketDelegate, @unchecked Sendable {
    typealias Answer = (response: HTTPURLResponse, body: [UInt8])

    private struct Exchange {
        var body: [UInt8] = []
        let limit: Int
        let continuation: CheckedContinuation<Result<Answer, TransportError>, Never>
    }

    private struct State {
        var exchanges: [Int: Exchange] = [:]
        var openings: [Int: CheckedContinuation<Result<Void, TransportError>, Never>] = [:]
        var sockets: [Int: URLSessionWebSocketTask] = [:]
        var end: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Starts a request, and waits for its whole answer.
    func answer(to task: URLSessionDataTask, limit: Int) async -> Result<Answer, TransportError> {
        let number = task.taskIdentifier
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.exchanges[number] = Exchange(limit: limit, continuation: continuation) }
                task.resume()
                // The handler below may have come before there was anything to end.
                if Task.isCancelled { finish(number, .failure(.cancelled)) }
            }
        } onCancel: {
            task.cancel()
            finish(number, .failure(.cancelled))
        }
    }

    /// Starts a socket, and waits until the service has accepted it.
    func opening(of task: URLSessionWebSocketTask) async -> Result<Void, TransportError> {
        let number = task.taskIdentifier
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.openings[number] = continuation }
                task.resume()
                if Task.isCancelled { open(number, .failure(.cancelled)) }
            }
        } onCancel: {
            task.cancel()
            open(number, .failure(.cancelled))
        }
    }

    /// Ends a session with everything in progress; returns when it has ended.
    func end(of session: URLSession) async {
        let sockets = state.withLock { Array($0.sockets.values) }
        for socket in sockets { socket.cancel(with: .normalClosure, reason: nil) }
        await withCheckedContinuation { continuation in
            state.withLock { $0.end = continuation }
            session.invalidateAndCancel()
        }
    }

    private func finish(_ number: Int, _ answer: Result<Answer, TransportError>) {
        state.withLock { $0.exchanges.removeValue(forKey: number) }?.continuation.resume(returning: answer)
    }

    private func open(_ number: Int, _ outcome: Result<Void, TransportError>) {
        state.withLock { $0.openings.removeValue(forKey: number) }?.resume(returning: outcome)
    }

    // MARK: - Requests

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let number = dataTask.taskIdentifier
        let isTooLong = state.withLock { state in
            guard let exchange = state.exchanges[number] else { return false }
            if data.count > exchange.limit - exchange.body.count { return true }
            state.exchanges[number]?.body.append(contentsOf: data)
            return false
        }
        guard isTooLong else { return }
        finish(number, .failure(.tooLong))
        dataTask.cancel()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirection itself is the response.
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let number = task.taskIdentifier
        let response = task.response as? HTTPURLResponse
        let (exchange, opening) = state.withLock { state in
            state.sockets[number] = nil
            return (state.exchanges.removeValue(forKey: number), state.openings.removeValue(forKey: number))
        }
        switch (error, response) {
        case (nil, let response?): exchange?.continuation.resume(returning: .success((response, exchange?.body ?? [])))
        case (let error, _): exchange?.continuation.resume(returning: .failure(TransportError(session: error)))
        }
        let refusal = response.map { response in
            TransportError(
                refusedWith: response.statusCode, errorType: response.value(forHTTPHeaderField: "x-amzn-errortype"))
        }
        opening?.resume(returning: .failure(refusal ?? TransportError(session: error)))
    }

    // MARK: - Sockets

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol chosen: String?
    ) {
        let number = webSocketTask.taskIdentifier
        guard chosen == nil || chosen == SocketRequest.subprotocol else {
            open(number, .failure(TransportError(.unsent, "the service chose a protocol that was not offered")))
            webSocketTask.cancel(with: .protocolError, reason: nil)
            return
        }
        state.withLock { $0.sockets[number] = webSocketTask }
        open(number, .success(()))
    }

    /// Foundation on Linux wants this method; the socket asks its task how it was closed.
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {}

    // MARK: - The session

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        state.withLock { state in
            defer { state.end = nil }
            return state.end
        }?.resume()
    }
}
#endif
