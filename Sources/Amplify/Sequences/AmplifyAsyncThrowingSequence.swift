import HoldfastStorage

/// Something that can be cancelled.
public protocol Cancellable {
    /// Ends the work; idempotent.
    func cancel()
}

/// ``Cancellable`` under a name that no other module has.
typealias SequenceCancelling = Cancellable

/// Elements as they come, until the end or an error; has one consumer.
///
/// Ends when the consuming task is cancelled, ``cancel()`` is called, or the sequence is released.
public final class AmplifyAsyncThrowingSequence<Element: Sendable>: AsyncSequence, Cancellable, Sendable {
    /// Takes the elements one by one.
    public typealias Iterator = AsyncThrowingStream<Element, any Error>.Iterator

    private let stream: AsyncThrowingStream<Element, any Error>
    /// What ``cancel()`` adds before the end.
    private let last: Element?
    private let cancelled = Mutex(false)
    package let continuation: AsyncThrowingStream<Element, any Error>.Continuation

    /// Creates a sequence without elements.
    ///
    /// - Parameters:
    ///   - parent: Cancelled when the sequence ends.
    ///   - bufferingPolicy: What is kept for a slow consumer; by default everything.
    public init(
        parent: (any Cancellable & Sendable)? = nil,
        bufferingPolicy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy = .unbounded
    ) {
        last = nil
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: bufferingPolicy)
        if let parent { continuation.onTermination = { _ in parent.cancel() } }
    }

    /// Creates a sequence without elements, to which ``cancel()`` adds a last one.
    package init(last: Element) {
        self.last = last
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Starts consuming.
    public func makeAsyncIterator() -> Iterator { stream.makeAsyncIterator() }

    /// Adds an element; after the end it is dropped.
    public func send(_ element: Element) { continuation.yield(element) }

    /// Ends the sequence with an error.
    public func fail(_ error: any Error) { continuation.finish(throwing: error) }

    /// Ends the sequence.
    public func finish() { continuation.finish() }

    /// Ends the sequence and what feeds it.
    public func cancel() {
        cancelled.store(true)
        if let last { continuation.yield(last) }
        continuation.finish()
    }

    /// Whether ``cancel()`` was called; a sequence that ended otherwise was not cancelled.
    public var isCancelled: Bool { cancelled.load() }

    /// A sequence that fails at once.
    static func failed(_ error: any Error) -> AmplifyAsyncThrowingSequence {
        let sequence = AmplifyAsyncThrowingSequence()
        sequence.fail(error)
        return sequence
    }
}

/// Elements as they come, until the end; has one consumer.
public final class AmplifyAsyncSequence<Element: Sendable>: AsyncSequence, Cancellable, Sendable {
    /// Takes the elements one by one.
    public typealias Iterator = AsyncStream<Element>.Iterator

    private let stream: AsyncStream<Element>
    private let cancelled = Mutex(false)
    private let continuation: AsyncStream<Element>.Continuation

    /// Creates a sequence without elements; see ``AmplifyAsyncThrowingSequence``.
    public init(
        parent: (any Cancellable & Sendable)? = nil,
        bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: bufferingPolicy)
        if let parent { continuation.onTermination = { _ in parent.cancel() } }
    }

    /// Starts consuming.
    public func makeAsyncIterator() -> Iterator { stream.makeAsyncIterator() }

    /// Adds an element; after the end it is dropped.
    public func send(_ element: Element) { continuation.yield(element) }

    /// Ends the sequence.
    public func finish() { continuation.finish() }

    /// Ends the sequence and what feeds it.
    public func cancel() {
        cancelled.store(true)
        continuation.finish()
    }

    /// Whether ``cancel()`` was called; a sequence that ended otherwise was not cancelled.
    public var isCancelled: Bool { cancelled.load() }
}
