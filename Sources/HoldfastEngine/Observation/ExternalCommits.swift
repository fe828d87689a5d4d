import HoldfastStorage

/// Notifies the publisher of what other handles and processes commit: the one reader of the store's change feed.
final class ExternalCommits: Sendable {
    private let task: Task<Void, Never>

    /// Begins to read a feed.
    ///
    /// - Parameters:
    ///   - feed: The store's, begun before the first observation.
    ///   - publisher: Knows the commits of this handle.
    ///   - entities: Those of the models.
    ///   - sleep: Lets time pass after an error of the feed.
    init(
        _ feed: any ChangeFeed, to publisher: ChangePublisher, entities: [EntitySchema],
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        let entities = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
        task = Task {
            var feed = feed
            while !Task.isCancelled {
                do throws(StorageError) {
                    guard let element = try await feed.next(withoutRecordsOf: { publisher.isOwnCommit($0) }) else {
                        break
                    }
                    switch element {
                    case .commits(let commits):
                        for commit in commits {
                            publisher.received(commit.sequence, commit.changeSets(of: entities))
                        }
                    case .gap(let sequence):
                        publisher.missed(
                            through: sequence, entities.values.map { ChangeSet.missed($0, through: sequence) })
                    }
                } catch  where error.kind == .cancelled || error.kind == .closed {
                    break
                } catch {
                    // The feed continues where it was; what keeps it from being read may last.
                    do { try await sleep(.seconds(1)) } catch { break }
                }
            }
            await feed.close()
        }
    }

    deinit { task.cancel() }
}

extension CommittedChange {
    /// The changes of the models' records, with only the keys.
    fileprivate func changeSets(of entities: [String: EntitySchema]) -> [ChangeSet] {
        var sets = wholeEntities.compactMap { entities[$0] }.map { ChangeSet.missed($0, through: sequence) }
        for (name, records) in Dictionary(grouping: records, by: \.entity) {
            guard let entity = entities[name] else { continue }
            var set = ChangeSet.missed(entity, through: sequence)
            set.knowledge = .keysOnly
            for record in records {
                set.kinds.append(record.effect.isPut ? .updated : .deleted)
                set.rows.append(entity.row(ofKey: record.key.components))
            }
            sets.append(set)
        }
        return sets
    }
}
