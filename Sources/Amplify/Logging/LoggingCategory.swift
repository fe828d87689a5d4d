import Foundation
import HoldfastStorage

/// Writes messages for developers.
public protocol Logger: Sendable {
    /// How much is written.
    var logLevel: LogLevel { get set }

    /// Writes what failed.
    func error(_ message: @autoclosure () -> String)
    /// Writes an error.
    func error(error: any Error)
    /// Writes what may fail soon.
    func warn(_ message: @autoclosure () -> String)
    /// Writes what happens.
    func info(_ message: @autoclosure () -> String)
    /// Writes what helps to find a mistake.
    func debug(_ message: @autoclosure () -> String)
    /// Writes anything.
    func verbose(_ message: @autoclosure () -> String)
}

/// Messages for developers, on the standard error stream unless the application takes them.
public final class LoggingCategory: CategoryTypeable, Logger, Sendable {
    /// Takes a message.
    public typealias Sink = @Sendable (_ level: LogLevel, _ category: String, _ message: String) -> Void

    private struct State {
        var level = LogLevel.error
        var isEnabled = true
        var sink = standardError
    }

    private let state = Mutex(State())

    init() {}

    /// Logging.
    public var categoryType: CategoryType { .logging }

    /// How much is written by all loggers that have no level of their own; `.error` at first.
    public var logLevel: LogLevel {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// Writes messages again after ``disable()``.
    public func enable() { state.withLock { $0.isEnabled = true } }

    /// Writes nothing until ``enable()``.
    public func disable() { state.withLock { $0.isEnabled = false } }

    /// Sends all messages to the application's own logging; `nil` for the standard error stream.
    public func redirect(to sink: Sink?) {
        state.withLock { $0.sink = sink ?? Self.standardError }
    }

    /// The logger of messages that belong to no part of a program.
    public var `default`: any Logger { logger(forCategory: Self.defaultName) }

    /// The logger of a namespace; its level is that of the category.
    public func logger(forNamespace namespace: String) -> any Logger { logger(forCategory: namespace) }

    /// The logger of a part of a namespace, `namespace.category`; its level is that of the category.
    public func logger(forCategory category: String, forNamespace namespace: String) -> any Logger {
        logger(forCategory: "\(namespace).\(category)")
    }

    /// The logger of a part of a program; its level is that of the category.
    public func logger(forCategory category: String) -> any Logger { CategoryLogger(category, level: nil, self) }

    /// The logger of a part of a program with a level of its own.
    public func logger(forCategory category: String, logLevel: LogLevel) -> any Logger {
        CategoryLogger(category, level: logLevel, self)
    }

    /// Writes what failed.
    public func error(_ message: @autoclosure () -> String) { write(.error, message()) }
    /// Writes an error.
    public func error(error: any Error) { write(.error, Self.text(of: error)) }
    /// Writes what may fail soon.
    public func warn(_ message: @autoclosure () -> String) { write(.warn, message()) }
    /// Writes what happens.
    public func info(_ message: @autoclosure () -> String) { write(.info, message()) }
    /// Writes what helps to find a mistake.
    public func debug(_ message: @autoclosure () -> String) { write(.debug, message()) }
    /// Writes anything.
    public func verbose(_ message: @autoclosure () -> String) { write(.verbose, message()) }

    func write(
        _ level: LogLevel, category: String = defaultName, limit: LogLevel? = nil, _ message: @autoclosure () -> String
    ) {
        let state = state.withLock(\.self)
        let limit = limit ?? state.level
        if state.isEnabled, limit != LogLevel.none, level <= limit { state.sink(level, category, message()) }
    }

    func reset() { state.withLock { $0 = State() } }

    static func text(of error: any Error) -> String {
        (error as? any AmplifyError)?.debugDescription ?? "\(error)"
    }

    static let defaultName = "Amplify"

    private static let standardError: Sink = { level, category, message in
        FileHandle.standardError.write(Data("[\(level)] \(category): \(message)\n".utf8))
    }
}

/// Writes the messages of one part of a program.
private struct CategoryLogger: Logger {
    private let name: String
    private var level: LogLevel?
    private let category: LoggingCategory

    init(_ name: String, level: LogLevel?, _ category: LoggingCategory) {
        self.name = name
        self.level = level
        self.category = category
    }

    var logLevel: LogLevel {
        get { level ?? category.logLevel }
        set { level = newValue }
    }

    func error(_ message: @autoclosure () -> String) { write(.error, message()) }
    func error(error: any Error) { write(.error, LoggingCategory.text(of: error)) }
    func warn(_ message: @autoclosure () -> String) { write(.warn, message()) }
    func info(_ message: @autoclosure () -> String) { write(.info, message()) }
    func debug(_ message: @autoclosure () -> String) { write(.debug, message()) }
    func verbose(_ message: @autoclosure () -> String) { write(.verbose, message()) }

    private func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
        category.write(level, category: name, limit: self.level, message())
    }
}
