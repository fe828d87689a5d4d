import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    /// What is sent to a service, and what becomes of it.
    static let engineSending = [
        eng(
            "ENG-095",
            "Changes are taken parents first, also deletions, one of each record, and frozen as they are taken.",
            catches: "What is sent again is not what was sent; a child arrives before its parent.",
            witness: "changes taken", protectsData: true
        ) { context in
            var store = try await context.openEngine()
            let fence = try await store.claim()
            let author = Bookshop.Author("a")
            try await store.data.save(Bookshop.Book("q", title: "first"))
            try await store.data.save(author)
            try await store.data.save(Bookshop.Book("p", author: author))
            let taken = try await store.data.take(8, fence)
            try context.expectEqual(taken.map(\.id.key), ["q", "a"], "what may be sent at once")
            try await store.data.save(Bookshop.Book("q", title: "second"))
            try context.expectEqual(try await store.data.take(8, fence).count, 0, "what waits for an answer")
            if store.isPersistent { store = try await store.reopen() }
            let again = try await store.data.unsettled()
            try context.expectEqual(again.map(\.id), taken.map(\.id), "what must be sent again")
            try context.expectEqual(
                again.map { $0.values.map(\.value) }, taken.map { $0.values.map(\.value) }, "its values")
            let answers = try [Bookshop.remote(Bookshop.Book("q", title: "first"), 1), Bookshop.remote(author, 1)]
            _ = try await store.data.settle(zip(taken, answers).map { .accepted($0.id, $1) }, fence)
            let rest = try await store.data.take(8, fence)
            try context.expectEqual(rest.map { "\($0.operation) \($0.id.key)" }, ["create p", "update q"], "the rest")
            try context.expectEqual(rest.map(\.version), [nil, 1], "the versions that the rest builds on")
            try context.expectEqual(
                rest.last?.values.map { "\($0.field) \($0.value)" }, ["title \(Value.text("second"))"],
                "the values of the update")
            let last = try [
                Bookshop.remote(Bookshop.Book("p", author: author), 1),
                Bookshop.remote(Bookshop.Book("q", title: "second"), 2),
            ]
            _ = try await store.data.settle(zip(rest, last).map { .accepted($0.id, $1) }, fence)
            try await store.data.delete(author)
            for key in ["a", "p"] {
                let deletions = try await store.data.take(8, fence)
                try context.expectEqual(
                    deletions.map { "\($0.operation) \($0.id.key)" }, ["delete \(key)"], "the next deletion")
                _ = try await store.data.settle(
                    deletions.map { .accepted($0.id, Bookshop.tombstone($0.id.key, 2)) }, fence)
            }
            try context.expectEqual(try await store.data.outboxCount(), 0, "the entries at the end")
            context.witness(6)
        },
        eng(
            "ENG-096", "Answers that came together go in with all that follows from them in one commit, and only once.",
            catches: "A record is acknowledged and its entry stays, so that it is sent twice.", witness: "answers",
            protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let fence = try await store.claim()
            try await store.apply([try Bookshop.remote(Bookshop.Book("q", title: "theirs"), 1)], fence)
            try await store.data.save(["p", "q", "r"].map { Bookshop.Book($0, title: "mine") })
            let taken = try await store.data.take(8, fence)
            try context.expectEqual(taken.map(\.id.key), ["p", "q", "r"], "the changes taken")
            let outcomes: [MutationOutcome] = [
                .accepted(taken[0].id, try Bookshop.remote(Bookshop.Book("p", title: "mine", pages: 1), 1)),
                .refused(taken[1].id, errorType: "Unauthorized", message: "no", remote: nil),
                .unanswered(taken[2].id, notBefore: .max),
            ]
            _ = try await store.data.settle(outcomes, fence)
            let commits = try await (
                book: store.rows(of: "Book").map(\.version), letter: store.rows(of: "__dead_letter").map(\.version),
                entry: store.rows(of: "__outbox").map(\.version)
            )
            try context.expectEqual(commits.letter, [commits.book[0]], "the commit of the letter and of a book")
            try context.expectEqual(commits.entry, [commits.book[0]], "the commit of the entry that stays")
            try context.expectEqual(commits.book[1], commits.book[0], "the commit of the two books")
            let books = [
                Bookshop.Book("p", title: "mine", pages: 1), Bookshop.Book("q", title: "theirs"),
                Bookshop.Book("r", title: "mine"),
            ]
            try await store.compare(books, " after the answers")
            let entries = try await store.data.outboxEntries()
            try context.expectEqual(entries.map(\.key), ["r"], "what is unsent")
            try context.expectEqual(entries.map(\.attempts), [1], "how often it was tried")
            let before = try await store.rows(of: "__record_metadata") + store.rows(of: "__dead_letter")
            _ = try await store.data.settle(Array(outcomes.prefix(2)), fence)
            try context.expectEqual(
                try await store.rows(of: "__record_metadata") + store.rows(of: "__dead_letter"), before,
                "what is known after the same answers again")
            try await store.compare(books, " after the same answers again")
            context.witness(outcomes.count)
        },
        eng(
            "ENG-097",
            "A refused change is taken back exactly, for values of every type, and kept until it is dealt with.",
            catches: "What a change replaced loses precision, or its text is cut.", witness: "changes taken back",
            protectsData: true
        ) { context in
            var store = try await context.openEngine([AllTypesModel.self])
            let fence = try await store.claim()
            let specimens = try AllTypesModel.all()
            let rows = try specimens.map { Array(try $0.row()[0]) }
            _ = try await store.data.apply(
                RemoteBatch(model: "AllTypesModel", records: try specimens.map { try Bookshop.remote($0, 1) }), fence)
            // Every record takes the values of the next one.
            let half = specimens.count / 2
            for (index, specimen) in specimens.enumerated() {
                var row = rows[(index + 1) % rows.count]
                row[0] = .text(specimen.id)
                let values = row
                if index < half {
                    try await store.data.delete(specimen)
                } else {
                    let other = specimens[(index + 1) % specimens.count]
                    try await store.data.save(other.copied(as: specimen.id))
                    let stored = try await store.rows(of: "AllTypesModel").first { $0.cells[0] == values[0] }
                    try context.expectEqual(stored?.cells, values, "the changed specimen \(index)")
                }
            }
            var letters = 0
            while true {
                let taken = try await store.data.take(50, fence)
                if taken.isEmpty { break }
                let report = try await store.data.settle(
                    taken.map { .refused($0.id, errorType: "No", message: nil, remote: nil) }, fence)
                letters += report.deadLetters.count
            }
            try await store.compare(specimens, " after the service has refused their changes")
            if store.isPersistent { store = try await store.reopen() }
            let kept = try await store.data.deadLetters()
            try context.expectEqual(kept.count, letters, "the letters kept")
            guard let deletion = kept.first(where: { $0.operation == .delete }),
                let update = kept.first(where: { $0.operation == .update })
            else { throw ClauseFailure("There is no letter of a deletion, or none of an update") }
            try context.expect(try await store.data.discard(deletion), "A letter is not there to be discarded.")
            try context.expect(try await store.data.retry(update), "A letter is not there to be tried again.")
            try context.expectEqual(
                try await store.data.outboxEntries().map(\.key), [update.key], "what is unsent after trying again")
            try context.expectEqual(
                try await store.data.deadLetters().count, letters - 2, "the letters that are left")
            context.witness(letters)
        },
        eng(
            "ENG-098", "One at a time has the lease, also of those that ask at once, and each has a greater number.",
            catches: "Two processes synchronize one store and send everything twice.", witness: "leases",
            protectsData: true
        ) { context in
            let watch = EngineWatch()
            let store = try await context.openEngine(watch: watch)
            for round in 0..<2 {
                let start = Int64(round) * 1_000
                watch.beforeNextCommit {
                    _ = try await store.data.claim("rival", until: start + 500, now: start)
                }
                let late = try await store.data.claim("late", until: start + 500, now: start)
                try context.expectEqual(late?.holder, nil, "the lease of who came second, round \(round)")
                context.witness()
            }
            let first = try await store.data.claim("one", until: 3_000, now: 2_000)
            try context.expectEqual(
                try await store.data.claim("two", until: 3_500, now: 2_999)?.holder, nil, "a lease that is taken")
            guard let first else { throw ClauseFailure("A lease that has ended is not given.") }
            try context.expect(try await store.data.renew(first, until: 4_000), "A lease cannot be prolonged.")
            try context.expectEqual(
                try await store.data.claim("two", until: 4_500, now: 3_999)?.holder, nil, "a lease prolonged")
            let second = try await store.data.claim("two", until: 5_000, now: 4_000)
            try context.expect((second?.epoch ?? 0) > first.epoch, "The number of the lease does not rise.")
            try context.expect(
                try await !store.data.renew(first, until: 6_000), "A lease is prolonged that another has.")
            try await store.data.release(first)
            try context.expectEqual(
                try await store.data.claim("one", until: 6_000, now: 4_500)?.holder, nil,
                "the lease that its former holder gave back")
            context.witness(2)
        },
        eng(
            "ENG-099",
            "A holder that has lost the lease writes nothing, not even if it is lost in the middle of a page.",
            catches: "A slow process overwrites what its successor knows better.", witness: "writes refused",
            protectsData: true
        ) { context in
            let watch = EngineWatch()
            let store = try await context.openEngine(watch: watch)
            try await store.data.save(Bookshop.Book("p", title: "mine"))
            var lost = try await store.claim("holder 0")
            let sent = try await store.data.take(1, lost)
            try await store.data.save(Bookshop.Book("q"))
            let remote = try Bookshop.remote(Bookshop.Book("p", title: "theirs"), 1)
            let old = RecordMetadata(model: "Book", key: "old", version: 1, lastChangedAt: 1, generation: 1)
            try await store.data.save(metadata: [old])
            let writes: [(String, @Sendable (SyncFence) async throws -> Void)] = [
                ("a page", { try await store.apply([remote], $0) }),
                ("an answer", { _ = try await store.data.settle([.accepted(sent[0].id, remote)], $0) }),
                ("taking a change", { _ = try await store.data.take(1, $0) }),
                ("a sweep", { _ = try await store.data.sweep("Book", 2, $0) }),
            ]
            for (number, write) in writes.enumerated() {
                let now = Int64(number + 1) * 10_000
                let before = try await state(of: store)
                let holder = lost
                watch.beforeNextCommit {
                    _ = try await store.data.claim("holder \(number + 1)", until: now + 1_000, now: now)
                }
                for when in ["in the middle", "before"] {
                    let error = try await context.expectError(.conflict, from: "\(write.0), the lease lost \(when)") {
                        try await write.1(holder)
                    }
                    try context.expectEqual(error.transaction, .untouched, "the state after \(write.0)")
                    context.witness()
                }
                try context.expectEqual(
                    try await state(of: store), before, "the store after \(write.0) without the lease")
                guard let fence = try await store.data.claim("next", until: now + 2_000, now: now + 1_000) else {
                    throw ClauseFailure("A lease that has ended is not given.")
                }
                lost = fence
            }
            _ = try await store.data.settle([.accepted(sent[0].id, remote)], lost)
            try context.expectEqual(try await store.titles(), ["theirs", nil], "the books with the lease")
        },
        eng(
            "ENG-100", "Clearing takes all that is known of records and of the service, and ends the lease.",
            catches:
                "A page that is in progress is applied to the empty store; what is kept of the service hides records.",
            witness: "kinds of rows cleared", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let fence = try await store.claim()
            try await store.data.save(["a", "b", "c"].map { Bookshop.Book($0, title: "mine") })
            let sent = try await store.data.take(1, fence)
            _ = try await store.data.settle(
                [.refused(sent[0].id, errorType: nil, message: nil, remote: nil)], fence)
            let theirs = try Bookshop.remote(Bookshop.Book("b", title: "theirs"), 1)
            let other = try Bookshop.remote(Bookshop.Book("d"), 1)
            _ = try await store.data.apply(
                RemoteBatch(model: "Book", records: [theirs, other], state: ModelState(model: "Book", lastSync: 7)),
                fence)
            try await store.data.setSetting("colour", to: "blue")
            let entities = ["Book", "__outbox", "__record_metadata", "__model_state", "__shelf", "__dead_letter"]
            for entity in entities {
                try context.expect(try await !store.rows(of: entity).isEmpty, "There is no row of \(entity) to clear.")
            }
            try await store.data.clear()
            for entity in entities {
                try context.expectEqual(try await store.rows(of: entity).count, 0, "the rows of \(entity)")
                context.witness()
            }
            try context.expectEqual(try await store.data.setting("colour"), "blue", "a setting")
            try await context.expectError(.conflict, from: "a page from before the store was cleared") {
                try await store.apply([theirs], fence)
            }
            let next = try await store.claim("next")
            try context.expect(next.epoch > fence.epoch, "The number of the lease does not rise.")
            try await store.apply([theirs, other], next)
            try context.expectEqual(try await store.titles(), ["theirs", nil], "the books asked for again")
        },
        eng(
            "ENG-101", "Changes of local models are not recorded; a model that is recorded later is taken in whole.",
            requires: .persistence,
            catches: "Entries of what has no entry yet are lost, or records are queued that were queued before.",
            witness: "records taken in", protectsData: true
        ) { context in
            var local = DataStoreOptions()
            local.localModels = ["Book"]
            var store = try await context.openEngine(Bookshop.models, local)
            let author = Bookshop.Author("a")
            try await store.data.save(author)
            let books = Bookshop.books(1_100).map { Bookshop.Book($0.id, title: $0.title, author: author) }
            try await store.data.save(books)
            try await store.data.transaction { transaction in
                try await transaction.delete(books[0])
                try await transaction.save(Bookshop.Shelf("r", 1))
            }
            let recorded = ["create Author a", "create Shelf r#1"]
            try context.expectEqual(try await store.outbox(), recorded, "the entries")
            try context.expectEqual(try await store.data.adopt("Book"), 0, "the books of a local model that are queued")
            store = try await store.reopen(nil, DataStoreOptions())
            try await store.data.save(Bookshop.Book(books[1].id, title: "changed", author: author))
            try context.expectEqual(
                try await store.data.adopt("Book"), books.count - 2, "the books that are queued besides the one changed"
            )
            try context.expectEqual(try await store.data.adopt("Book"), 0, "the books that are queued again")
            let queued = ["create Book \(books[1].id)"] + books[2...].map { "create Book \($0.id)" }
            try context.expectEqual(try await store.outbox(), recorded + queued, "the entries of all books")
            // What is queued is followed also where the model is local again.
            store = try await store.reopen(nil, local)
            try await store.data.delete(Bookshop.Book.self, withId: books[2].id)
            try await store.data.save([books[0], books[3]])
            try context.expectEqual(
                try await store.outbox(), recorded + queued.filter { !$0.hasSuffix(books[2].id) },
                "the entries after changes of the local model")
            context.witness(queued.count)
        },
    ]

    /// Everything that a stale lease could change.
    private static func state(of store: EngineStore) async throws -> [[StoredRow]] {
        var rows: [[StoredRow]] = []
        for entity in ["Book", "__outbox", "__record_metadata", "__model_state", "__shelf", "__dead_letter"] {
            rows.append(try await store.rows(of: entity))
        }
        return rows
    }
}

extension AllTypesModel {
    /// The same values under another key.
    fileprivate func copied(as id: String) -> AllTypesModel {
        var copy = AllTypesModel(id)
        (copy.text, copy.count, copy.ratio, copy.flag, copy.day) = (text, count, ratio, flag, day)
        (copy.time, copy.instant, copy.seconds, copy.grade, copy.cover) = (time, instant, seconds, grade, cover)
        (copy.numbers, copy.grades, copy.covers) = (numbers, grades, covers)
        return copy
    }
}
