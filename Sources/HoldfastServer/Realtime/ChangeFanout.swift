import HoldfastStorage

/// Notifies the hub of the commits of every process, as the store's change feed has them.
///
/// Commits of this process come with their rows; records of others are read, some at once. A record that is newer than
/// its commit is left to the later commit: clients keep the newest version in any case.
struct ChangeFanout {
    let schema: ServerSchema
    let store: Store
    let hub: EventHub
    let surroundings: Surroundings

    /// The commits of a record that were left to later ones.
    private struct Skips {
        /// More than this many records at a time are not remembered; clients resync.
        static let limit = 10_000
        var counts: [String: [RecordKey: Int64]] = [:]
        var count = 0
    }

    /// A commit and what is to be reported of it.
    private struct Commit {
        var sequence: UInt64
        /// What this process wrote.
        var own: [Event] = []
        /// What another process wrote, without its rows.
        var foreign: [(record: CommittedChange.Record, model: ServerModel)] = []
        /// Of the events of ``foreign``: see ``Event/nextListener``.
        var nextListener = UInt64.max
    }

    /// The records that are read at once, since they are in memory together; more if one commit has more.
    private static let readCount = 64
    /// How long the feed may fail before clients are sent away, since another process may have one that works.
    private static let patience = Duration.seconds(60)
    private static let pause = Duration.milliseconds(200)

    /// Follows a feed until the store is closed or the task is cancelled.
    func follow(_ feed: any ChangeFeed) async {
        var feed = feed
        var skips = Skips()
        while let element = await next(of: &feed) {
            do throws(StorageError) {
                switch element {
                case .gap: hub.reportGap()
                case .commits(let changes): try await publish(changes, &skips)
                }
            } catch {
                // What could not be read is made good by clients that resync.
                hub.reportGap()
                try? await surroundings.sleep(Self.pause)
            }
        }
        hub.reportGap()
    }

    /// The next element, as soon as the feed has it; `nil` at its end.
    ///
    /// A feed that fails continues where it was, so that nothing is missed.
    private func next(of feed: inout any ChangeFeed) async -> ChangeFeedElement? {
        var start: Duration?
        while true {
            do throws(StorageError) {
                return try await feed.next()
            } catch {
                if error.kind == .cancelled || error.kind == .closed { return nil }
                let now = surroundings.uptime()
                if let begun = start, now - begun >= Self.patience {
                    hub.reportGap()
                    start = now
                }
                start = start ?? now
                guard (try? await surroundings.sleep(Self.pause)) != nil else { return nil }
            }
        }
    }

    private func publish(_ changes: [CommittedChange], _ skips: inout Skips) async throws(StorageError) {
        if changes.contains(where: { $0.wholeEntities.contains { schema.model($0) != nil } }) { hub.reportGap() }
        var commits: [Commit] = []
        var count = 0
        for commit in changes.map(content(of:)) {
            if count + commit.foreign.count > Self.readCount {
                try await publish(commits, &skips)
                (commits, count) = ([], 0)
            }
            commits.append(commit)
            count += commit.foreign.count
        }
        try await publish(commits, &skips)
    }

    private func content(of change: CommittedChange) -> Commit {
        var commit = Commit(sequence: change.sequence)
        if let events = hub.takeOwn(change.sequence) {
            commit.own = events
            return commit
        }
        // What the feed reports can be read.
        commit.nextListener = hub.nextListener
        for record in change.records where record.effect.isPut {
            guard let model = schema.model(record.entity), hub.hasListeners(for: model) else { continue }
            commit.foreign.append((record, model))
        }
        return commit
    }

    private func publish(_ commits: [Commit], _ skips: inout Skips) async throws(StorageError) {
        var foreign: [String: [RecordKey]] = [:]
        for commit in commits {
            for (record, _) in commit.foreign { foreign[record.entity, default: []].append(record.key) }
        }
        var found: [String: [RecordKey: (row: [Value], version: UInt64)]] = [:]
        for (entity, keys) in foreign {
            var rows = RowBuffer()
            let keys = Array(Set(keys))
            try await store.get(keys, of: entity, into: &rows)
            for (index, key) in keys.enumerated() where rows.versions[index] != 0 {
                found[entity, default: [:]][key] = (Array(rows[index]), rows.versions[index])
            }
        }
        for commit in commits {
            for event in commit.own { publish(event, event.model.entity.key(of: event.row), &skips) }
            for (record, model) in commit.foreign {
                guard let stored = found[record.entity]?[record.key] else { continue }
                publish(stored, of: model, record, in: commit, &skips)
            }
        }
    }

    private func publish(
        _ stored: (row: [Value], version: UInt64), of model: ServerModel, _ record: CommittedChange.Record,
        in commit: Commit, _ skips: inout Skips
    ) {
        guard stored.version <= commit.sequence else {
            skips.counts[model.name, default: [:]][record.key, default: 0] += 1
            skips.count += 1
            if skips.count > Skips.limit {
                skips = Skips()
                hub.reportGap()
            }
            return
        }
        let isNew: Bool =
            switch record.effect {
            case .created: true
            case .replaced, .deleted: false
            // The feed does not say which; the first version of a record is a new one.
            case .put: model.version(of: stored.row) == 1
            }
        let operation: MutationOperation = model.isDeleted(stored.row) ? .delete : isNew ? .create : .update
        let event = Event(
            model: model, operation: operation, row: stored.row, sequence: commit.sequence,
            nextListener: commit.nextListener)
        publish(event, record.key, &skips)
    }

    private func publish(_ event: Event, _ key: RecordKey, _ skips: inout Skips) {
        let skipped = skips.counts[event.model.name]?.removeValue(forKey: key) ?? 0
        skips.count -= Int(skipped)
        // If the creation was left to this commit, it goes out as both.
        if event.operation != .create, skipped > 0, event.model.version(of: event.row) == skipped + 1 {
            var creation = event
            creation.operation = .create
            hub.publish(creation)
        }
        hub.publish(event)
    }
}
