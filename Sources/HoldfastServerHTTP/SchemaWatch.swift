#if Server
public import HoldfastGraphQL
public import HoldfastServer
public import HoldfastStorage

/// Serves what a schema becomes while it is edited, for development.
///
/// Reads the schema once a second. A change is applied when two readings agree, so that a file that is being written is
/// left alone. What cannot be applied is reported once, and the service continues with what it had.
///
/// ```swift
/// let watch = SchemaWatch(server, surroundings: .system, read: { try read() }, report: { log($0) })
/// let task = Task { await watch.run(from: sources) }
/// ```
public struct SchemaWatch: Sendable {
    /// What became of a change.
    public enum Outcome: Sendable {
        /// It is served.
        case applied
        /// It is not, for an error of `SyncServer.change(to:)`; what was served before still is.
        case refused(any Error)
    }

    private let server: SyncServer
    private let interval: Duration
    private let surroundings: Surroundings
    private let read: @Sendable () throws -> [Source]
    private let report: @Sendable (Outcome) async -> Void

    /// Creates a watch that does not run yet.
    ///
    /// - Parameters:
    ///   - server: What serves the schema.
    ///   - interval: The time between two readings; a second by default.
    ///   - surroundings: The clock.
    ///   - read: Reads the schema; a schema that cannot be read counts as one that did not change.
    ///   - report: Called with the outcome of each change.
    public init(
        _ server: SyncServer, interval: Duration = .seconds(1), surroundings: Surroundings,
        read: @escaping @Sendable () throws -> [Source], report: @escaping @Sendable (Outcome) async -> Void
    ) {
        self.server = server
        self.interval = interval
        self.surroundings = surroundings
        self.read = read
        self.report = report
    }

    /// Watches until the task is cancelled.
    ///
    /// - Parameter served: What the server serves now.
    public func run(from served: [Source]) async {
        var served = served
        var judged = served
        var last = served
        while (try? await surroundings.sleep(interval)) != nil {
            guard let found = try? read() else { continue }
            defer { last = found }
            guard !Self.isSame(found, judged), Self.isSame(found, last) else { continue }
            judged = found
            // A change was taken back.
            if Self.isSame(found, served) { continue }
            do {
                try await server.change(to: found)
                served = found
                await report(.applied)
            } catch {
                await report(.refused(error))
            }
        }
    }

    private static func isSame(_ first: [Source], _ second: [Source]) -> Bool {
        first.count == second.count
            && zip(first, second).allSatisfy { $0.name == $1.name && $0.bytes == $1.bytes }
    }
}
#endif
