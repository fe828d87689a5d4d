import HoldfastStorage

extension Clause {
    /// Feeds that leave something out: records of commits that their reader knows, and entities that are not in the
    /// feed.
    static let feedsLeavingOut: [Clause] = [
        Clause(
            "FED-019",
            "A feed whose reader knows some commits still reports every commit, and what became of the records of the "
                + "commits that the reader does not know.",
            level: .feed, requires: .feature(.changeFeed),
            catches: "The commits of a handle are left out as a whole, or what it made in between with them.",
            witness: "commits reported"
        ) { context in
            let store = try await context.open(.notes)
            var feed = try await FeedReader(store, after: nil, context)
            var sequences: [UInt64] = []
            for number in 0..<20 {
                sequences.append(try await store.put("Note", [[.text("n\(number)"), .integer(0)]]).sequence)
            }
            let known = Set(stride(from: 0, to: 20, by: 3).map { sequences[$0] })
            var delivered: [CommittedChange] = []
            while delivered.count < 20 {
                guard case .commits(let commits)? = try await feed.next(withoutRecordsOf: { known.contains($0) })
                else { throw ClauseFailure("The feed did not report the commits that were just made.") }
                delivered += commits
            }
            try context.expectEqual(delivered.map(\.sequence), sequences, "the sequences reported")
            for (number, change) in delivered.enumerated() where !known.contains(change.sequence) {
                try context.expectEqual(change.keysPut, ["n\(number)"], "the records of commit \(number)")
            }
            context.witness(delivered.count)
        },
        Clause(
            "FED-020",
            "Of an entity that is not in the change feed no record is reported, and never the whole; a commit of such "
                + "records is reported, with the others that it changes.",
            level: .feed, requires: .feature(.changeFeed),
            catches: "The bookkeeping of an application fills the log, and drives out what its observers wait for.",
            witness: "commits reported"
        ) { context in
            let quiet = EntitySchema(
                "Quiet", fields: [FieldSchema("id", .id), FieldSchema("number", .int)], isInChangeFeed: false)
            let store = try await context.open(.notes, quiet)
            var feed = try await FeedReader(store, after: nil, context)
            let put = { (entity: String, key: String) in
                WriteOperation.put(entity: entity, rows: RowBuffer(row: [.text(key), .integer(1)]), mode: .upsert)
            }
            var sequences: [UInt64] = []
            for operations in [
                [put("Quiet", "a"), put("Note", "a")], [put("Quiet", "b")],
                [.delete(entity: "Quiet", keys: [RecordKey("a")])], [.clear(entity: "Quiet")], [put("Note", "b")],
            ] { sequences.append(try await store.commit(operations).sequence) }
            let delivered = try await feed.commits(through: sequences[4])
            try context.expectEqual(delivered.map(\.sequence), sequences, "the sequences reported")
            try context.expectEqual(
                delivered.map(\.keysPut), [["a"], [], [], [], ["b"]], "the records of entities in the feed")
            try context.expect(
                delivered.allSatisfy { $0.wholeEntities.isEmpty && $0.records.allSatisfy { $0.entity == "Note" } },
                "The feed reported an entity that is not in it.")
            context.witness(delivered.count)
        },
    ]
}
