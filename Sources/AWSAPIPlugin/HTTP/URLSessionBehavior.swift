public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests over HTTP and reports the responses to its delegate, as `URLSession` does.
public protocol URLSessionBehavior: Sendable {
    /// Ends everything in progress.
    func cancelAndReset() async

    /// A task for a request; it waits until it is resumed.
    func dataTaskBehavior(with request: URLRequest) -> any URLSessionDataTaskBehavior

    /// Who receives what comes back.
    var sessionBehaviorDelegate: (any URLSessionBehaviorDelegate)? { get }
}

/// One request of a session.
public protocol URLSessionDataTaskBehavior: Sendable {
    /// A number that no other task of the session has.
    var taskBehaviorIdentifier: Int { get }
    /// What came back but the body; `nil` as long as there is nothing.
    var taskBehaviorResponse: URLResponse? { get }

    /// Ends the task with an error.
    func cancel()

    /// Sends the request.
    func resume()
}

/// Receives the responses.
public protocol URLSessionBehaviorDelegate: AnyObject {
    /// A task is over.
    func urlSessionBehavior(
        _ session: any URLSessionBehavior, dataTaskBehavior: any URLSessionDataTaskBehavior,
        didCompleteWithError error: (any Error)?)

    /// A part of the body came.
    func urlSessionBehavior(
        _ session: any URLSessionBehavior, dataTaskBehavior: any URLSessionDataTaskBehavior, didReceive data: Data)
}

extension URLSessionBehaviorDelegate {
    /// The same object as a delegate of `URLSession`; `nil` if it is not one.
    public var asURLSessionDelegate: (any URLSessionDelegate & URLSessionTaskDelegate)? {
        self as? any URLSessionDelegate & URLSessionTaskDelegate
    }
}

/// Makes sessions.
public protocol URLSessionBehaviorFactory: Sendable {
    /// Makes a session with a delegate, which it keeps until it is reset.
    func makeSession(withDelegate delegate: (any URLSessionBehaviorDelegate)?) -> any URLSessionBehavior
}

/// Makes sessions of Foundation.
public struct URLSessionFactory: URLSessionBehaviorFactory {
    private let configuration: URLSessionConfiguration

    /// Creates a factory; the configuration is copied for each session.
    public init(configuration: URLSessionConfiguration) { self.configuration = configuration }

    /// A factory of sessions that keep neither answers nor cookies.
    public static func makeDefault() -> URLSessionFactory { URLSessionFactory(configuration: .ephemeral) }

    /// Makes a session with a delegate, which it keeps until it is reset.
    public func makeSession(withDelegate delegate: (any URLSessionBehaviorDelegate)?) -> any URLSessionBehavior {
        URLSession(configuration: configuration, delegate: delegate?.asURLSessionDelegate, delegateQueue: nil)
    }
}

extension URLSession: URLSessionBehavior {
    /// Ends everything in progress; the session can no longer be used.
    public func cancelAndReset() async { invalidateAndCancel() }

    /// A task for a request; it waits until it is resumed.
    public func dataTaskBehavior(with request: URLRequest) -> any URLSessionDataTaskBehavior { dataTask(with: request) }

    /// The delegate, if it is one of tasks of this kind.
    public var sessionBehaviorDelegate: (any URLSessionBehaviorDelegate)? {
        delegate as? any URLSessionBehaviorDelegate
    }
}

extension URLSessionDataTask: URLSessionDataTaskBehavior {
    /// A number that no other task of the session has.
    public var taskBehaviorIdentifier: Int { taskIdentifier }
    /// What came back but the body; `nil` as long as there is nothing.
    public var taskBehaviorResponse: URLResponse? { response }
}
