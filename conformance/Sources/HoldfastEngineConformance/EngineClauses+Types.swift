import HoldfastConformance
import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension Clause {
    static let engineTypes = [
        eng(
            "ENG-082",
            "A field of every type comes back as it was saved: by query, by key, in changes, and after reopening.",
            catches: "A date loses its offset, a list its nulls, a double its last digit, an empty text its existence.",
            witness: "records read back", protectsData: true
        ) { context in
            let store = try await context.openEngine([AllTypesModel.self])
            let specimens = try AllTypesModel.all()
            let changes = try store.data.observe(AllTypesModel.self)
            try await store.data.save(specimens)
            var seen: [AllTypesModel] = []
            var iterator = changes.makeAsyncIterator()
            while seen.count < specimens.count, let change = try await iterator.next() { seen.append(change.model) }
            try context.expectEqual(
                try seen.map { Array(try $0.row()[0]) }, try specimens.map { Array(try $0.row()[0]) },
                "the records of the changes")
            let again = try await store.expectHolds(specimens)
            // Every value in place of every other.
            let moved = specimens.indices.map { number in
                var specimen = AllTypesModel(specimens[number].id)
                let other = specimens[(number + 1) % specimens.count]
                (specimen.text, specimen.count, specimen.ratio, specimen.flag) = (
                    other.text, other.count, other.ratio, other.flag
                )
                (specimen.day, specimen.time, specimen.instant) = (other.day, other.time, other.instant)
                (specimen.seconds, specimen.grade, specimen.cover) = (other.seconds, other.grade, other.cover)
                (specimen.numbers, specimen.grades, specimen.covers) = (other.numbers, other.grades, other.covers)
                return specimen
            }
            try await again.data.save(moved)
            try await again.expectHolds(moved)
            context.witness(2 * specimens.count)
        },
        eng(
            "ENG-083", "A value of every type finds its records as the operand of a condition, and only those.",
            catches: "The operand is converted otherwise than the field.", witness: "records found"
        ) { context in
            let store = try await context.openEngine([AllTypesModel.self])
            let specimens = try AllTypesModel.all()
            try await store.data.save(specimens)
            let keys = AllTypesModel.keys
            func check(_ predicate: any QueryPredicate, _ isWanted: (AllTypesModel) -> Bool, _ text: String)
                async throws
            {
                let found = try await store.data.query(AllTypesModel.self, where: predicate).map(\.id)
                try context.expectEqual(found, specimens.filter(isWanted).map(\.id), "the records where \(text)")
                context.witness(found.count)
            }
            for specimen in specimens {
                if let text = specimen.text {
                    try await check(keys.text == text, { $0.text?.utf8.elementsEqual(text.utf8) ?? false }, "text")
                }
                if let count = specimen.count {
                    try await check(keys.count == count, { $0.count == count }, "count == \(count)")
                    try await check(
                        keys.count > count, { $0.count.map { $0 > count } ?? false }, "count > \(count)")
                }
                if let ratio = specimen.ratio {
                    try await check(keys.ratio == ratio, { $0.ratio == ratio }, "ratio == \(ratio)")
                    try await check(
                        keys.ratio <= ratio, { $0.ratio.map { $0 <= ratio } ?? false }, "ratio <= \(ratio)")
                }
                if let flag = specimen.flag { try await check(keys.flag == flag, { $0.flag == flag }, "flag") }
                if let day = specimen.day {
                    try await check(keys.day == day, { $0.day == day }, "day == \(day.text)")
                    try await check(keys.day >= day, { $0.day.map { $0 >= day } ?? false }, "day >= \(day.text)")
                }
                if let instant = specimen.instant {
                    try await check(keys.instant == instant, { $0.instant == instant }, "instant == \(instant.text)")
                    try await check(
                        keys.instant < instant, { $0.instant.map { $0 < instant } ?? false },
                        "instant < \(instant.text)")
                }
                if let grade = specimen.grade {
                    try await check(keys.grade == grade.rawValue, { $0.grade == grade }, "grade")
                }
            }
            try await check(
                keys.grades.contains("FINE"), { $0.grades?.contains(.fine) ?? false }, "grades contain FINE")
            try await check(keys.text == nil, { $0.text == nil }, "text is null")
            try await check(keys.count != 7, { $0.count != 7 }, "count is not 7")
        },
        eng(
            "ENG-084", "A key of any characters names one record: saved, read, related, queued and deleted by it.",
            catches: "Keys are joined, normalized or folded on one of these ways.", witness: "keys", protectsData: true
        ) { context in
            let store = try await context.openEngine()
            let ids = [
                "", " ", "#", "%", "'", "A", "\\", "\\#", "_", "a", "a#b", "a/b", "e\u{301}", "null", "\u{e9}",
                "\u{1F600}",
            ]
            let authors = ids.map { Bookshop.Author($0, name: $0) }
            try await store.data.save(authors)
            try context.expectEqual(try await store.data.outboxCount(), ids.count, "the entries of the outbox")
            let books = ids.map { Bookshop.Book($0, title: $0, author: Bookshop.Author($0)) }
            try await store.data.save(books)
            var again = try await store.expectHolds(books)
            for (number, id) in ids.enumerated() {
                let read = try await again.data.query(Bookshop.Author.self, byId: id)
                try await read?.books?.fetch()
                try context.expectEqual(
                    read?.books?.map { Array($0.id.utf8) }, [Array(id.utf8)], "the books of author \(number)")
                let deleted = try await again.data.delete(Bookshop.Author.self, withId: id)
                try context.expect(deleted, "Author \(number) was not found.")
                try await again.compare(Array(books.dropFirst(number + 1)), "")
                context.witness()
            }
            again = try await again.expectHolds([Bookshop.Author]())
            try context.expectEqual(try await again.data.outboxCount(), 0, "the entries of the outbox")
        },
    ]
}
