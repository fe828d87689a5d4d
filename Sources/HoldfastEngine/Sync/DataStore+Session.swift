import HoldfastStorage

/// Shows that a session holds the lease; it no longer holds once another takes the lease or the store is cleared.
package struct SyncFence: Sendable, Hashable {
    /// Who holds the lease.
    package let holder: String
    /// The number of the lease.
    package let epoch: Int64
}

extension DataStore {
    /// Takes the lease for synchronizing the store, if it is free.
    ///
    /// - Parameters:
    ///   - holder: Who asks; unique to a running sync engine. A holder that asks again gets a new lease.
    ///   - until: When the lease ends, in microseconds since 1970-01-01T00:00Z; each asks for the same time.
    ///   - now: The present, as `until`.
    /// - Returns: The fence for everything done under the lease; `nil` while another holds it. The lease of another
    ///   does not count if it would end after `until`, since the clock has gone back since, or if its process has
    ///   ended.
    /// - Throws: ``StorageError`` `.schemaMismatch` if the store does not record mutations; `.closed`, `.io`.
    @concurrent package func claim(_ holder: String, until: Int64, now: Int64) async throws -> SyncFence? {
        var fence: SyncFence?
        _ = try await engine.commit { _ in
            fence = nil
            var draft = WriteDraft(pending: PendingEntries(), at: nil)
            let stored = try await syncSession()
            // A lease that ends later than a new one would is of a clock that was ahead, and would never end. That of
            // an ended process may be taken before its time: if it runs all the same, the fence stops it.
            if let (session, _) = stored, session.holder != holder, !session.holder.isEmpty, session.until > now,
                session.until <= until, !hasEnded(session)
            {
                return draft
            }
            let session = SyncSession(
                holder: holder, until: until, epoch: (stored?.session.epoch ?? 0) + 1,
                process: surroundings.process?.name, identity: stored?.session.identity)
            fence = SyncFence(holder: holder, epoch: session.epoch)
            draft.put(session, over: stored?.version)
            return draft
        }
        // Another session knows who is signed in.
        if fence == nil { engine.author = nil }
        return fence
    }

    /// Prolongs a lease.
    ///
    /// - Returns: Whether the fence still holds; `false` if another has taken the lease or the store was cleared.
    @concurrent package func renew(_ fence: SyncFence, until: Int64) async throws -> Bool {
        try await changeSession(fence) { $0.until = until }
    }

    /// Keeps the user with whom a session begins: changes of handles without a session are this user's, too.
    ///
    /// - Returns: Whether the fence still holds.
    @concurrent package func keepIdentity(_ identity: String?, _ fence: SyncFence) async throws -> Bool {
        try await changeSession(fence) { $0.identity = identity }
    }

    /// Who makes changes now: the user of this handle's session, or else of the store's last one; `nil` if no one is
    /// signed in.
    func presentIdentity(in snapshot: StoreSnapshot) async throws -> String? {
        if let author = engine.author { return author.identity }
        let rows = try await snapshot.get([SyncSession.storedKey], of: SyncSession.entity)
        return SyncSession(rows[0])?.identity
    }

    /// Gives a lease back, if the fence still holds.
    @concurrent package func release(_ fence: SyncFence) async throws {
        engine.author = nil
        _ = try await changeSession(fence) { ($0.holder, $0.until) = ("", .min) }
    }

    private func hasEnded(_ session: SyncSession) -> Bool {
        guard let name = session.process, let own = surroundings.process else { return false }
        return own.hasEnded(name)
    }

    private func changeSession(_ fence: SyncFence, _ change: (inout SyncSession) -> Void) async throws -> Bool {
        var holds = false
        _ = try await engine.commit { _ in
            var draft = WriteDraft(pending: PendingEntries(), at: nil)
            guard let (stored, version) = try await syncSession(), fence.isOf(stored) else {
                holds = false
                return draft
            }
            holds = true
            var session = stored
            change(&session)
            if session != stored { draft.put(session, over: version) }
            return draft
        }
        return holds
    }

    /// The row of the session and its version, or `nil` if no process ever took the lease.
    func syncSession() async throws -> (session: SyncSession, version: UInt64)? {
        var rows = RowBuffer()
        try await store.get([SyncSession.storedKey], of: SyncSession.entity.name, into: &rows)
        return SyncSession(rows[0]).map { ($0, rows.versions[0]) }
    }

    /// The condition that a fence still holds when a commit is applied.
    ///
    /// - Throws: ``StorageError`` `.conflict` with `retry: .never` if it does not hold any longer.
    func condition(of fence: SyncFence) async throws -> Precondition {
        guard let (session, version) = try await syncSession(), fence.isOf(session) else {
            throw StorageError(
                .conflict, "Another process synchronizes the store, or it was cleared; claim the session again.",
                retry: .never)
        }
        return .version(entity: SyncSession.entity.name, key: SyncSession.storedKey, version)
    }
}

extension SyncFence {
    fileprivate func isOf(_ session: SyncSession) -> Bool { session.holder == holder && session.epoch == epoch }
}

extension WriteDraft {
    fileprivate mutating func put(_ session: SyncSession, over version: UInt64?) {
        let (entity, key) = (SyncSession.entity.name, SyncSession.storedKey)
        if let version { require([.version(entity: entity, key: key, version)]) }
        put(RowBuffer(row: session.row), version == nil ? .insert : .update, entity)
    }
}
