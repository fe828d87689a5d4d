/// What undoes the damage that a harness did to a store.
///
/// A type of its own, since a function type is another one in packages that compile with other language features; a
/// method that returns it would silently not be the one that the suite calls.
public struct DamageRepair: Sendable {
    private let body: @Sendable () async throws -> Void

    /// Creates a repair.
    ///
    /// - Parameter body: Undoes exactly the damage.
    public init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

    func run() async throws { try await body() }
}
