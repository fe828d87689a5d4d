public import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage

extension SyncServer {
    /// Serves a later version of the schema, for development.
    ///
    /// Waits for requests in progress; others wait until the store is open again. Connections end, so that clients
    /// ask for what changed. Rules of `@auth` may change in any way. If the store cannot be opened with the new version
    /// it is opened with the old one.
    ///
    /// ```swift
    /// let text = "type Post @model @auth(rules: [{ allow: public }]) { title: String! rating: Int }"
    /// try await server.change(to: [Source(text)])  // clients connect again, and the records are still there
    /// ```
    ///
    /// - Parameter schema: As for ``open(schema:options:surroundings:makeAdapter:)``.
    /// - Throws: `SchemaError` with everything for which the new version cannot be served, or with which clients of the
    ///   old one could not continue; ``/HoldfastStorage/StorageError`` `.unsupported` for a store that is gone when it
    ///   is closed, `.busy` if the schema is being changed already. The old version is served then. As
    ///   ``open(schema:options:surroundings:makeAdapter:)`` if the store can no longer be opened; requests fail
    ///   then.
    public func change(to schema: [Source]) async throws {
        let old = gate.service
        guard old.store.capabilities.durability > .none else {
            throw StorageError(
                .unsupported, "A store in memory cannot change its schema, since its records would be lost.")
        }
        let next = try ServerSchema(
            sources: schema, defaultMode: old.options.defaultMode, sets: old.options.sets, stored: old.store.schema)
        try Self.check(old.options, with: next)
        let problems = next.problems(after: old.schema)
        guard problems.isEmpty else { throw SchemaError(problems: problems) }
        try await gate.close()
        var service = old
        defer { gate.open(service) }
        try await old.close()
        do {
            service = try await Self.service(ServerSchemas(schema), old.options, old.surroundings, makeAdapter)
        } catch {
            service = try await Self.service(ServerSchemas(old.sources), old.options, old.surroundings, makeAdapter)
            throw error
        }
    }
}
