package import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage

/// What a schema is once it was read, for all services that serve it.
///
/// A simulation starts thousands of services with one schema, each of them again and again.
package final class ServerSchemas: Sendable {
    /// What services that read a schema in the same way share.
    struct Served: Sendable {
        let schema: ServerSchema
        let documents: DocumentCache
    }

    private struct Way: Hashable {
        var defaultMode: AuthMode
        var sets: Set<String>
        var cachedDocuments: Int
        var stored: StorageSchema?
    }

    /// The annotated schema.
    let sources: [Source]
    private let known = Mutex<[Way: Served]>([:])

    /// Reads nothing yet.
    ///
    /// - Parameter sources: The annotated schema; the indices of several texts must differ.
    package init(_ sources: [Source]) { self.sources = sources }

    /// The schema as a service with these options has it.
    ///
    /// - Parameters:
    ///   - options: What services decide for themselves.
    ///   - stored: What the store has, which stays; `nil` if that is nothing.
    /// - Returns: The same each time.
    /// - Throws: As ``ServerSchema/init(sources:defaultMode:sets:stored:)``.
    func served(with options: ServerOptions, stored: StorageSchema?) throws -> Served {
        let way = Way(
            defaultMode: options.defaultMode, sets: options.sets, cachedDocuments: options.limits.cachedDocuments,
            stored: stored)
        if let served = known.withLock({ $0[way] }) { return served }
        let schema = try ServerSchema(
            sources: sources, defaultMode: way.defaultMode, sets: way.sets, stored: way.stored)
        let served = Served(
            schema: schema, documents: DocumentCache(api: schema.api, capacity: way.cachedDocuments))
        known.withLock { $0[way] = served }
        return served
    }
}
