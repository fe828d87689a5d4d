import HoldfastStorage

extension Clause {
    /// Unique indexes.
    static let uniqueness: [Clause] = [
        Clause(
            "PRE-008",
            "A unique index refuses a second record with its values, whichever way it is written; nothing is changed.",
            requires: .feature(.uniqueIndexes),
            catches: "Only inserts are checked, or only the first row of a put.",
            witness: "writes that a unique index refused", protectsData: true
        ) { context in
            let store = try await context.open(.users)
            let rows = (0..<5).map { User.row($0, mail: "m\($0)", team: "red", seat: Int64($0)) }
            try await store.put("User", rows)
            let cases: [(String, [[Value]], WriteOperation.PutMode)] = [
                ("an insert", [User.row(9, mail: "m1")], .insert),
                ("an upsert of a new record", [User.row(9, mail: "m4")], .upsert),
                ("an upsert of an existing record", [User.row(2, mail: "m3")], .upsert),
                ("an update", [User.row(2, mail: "m0")], .update),
                ("two new records", [User.row(8, mail: "x"), User.row(9, mail: "x")], .insert),
                (
                    "the last row of many",
                    (100..<140).map { User.row($0, mail: "n\($0)") } + [User.row(150, mail: "m2")], .upsert
                ),
                (
                    "a row between others", [User.row(8, mail: "y"), User.row(9, mail: "m2"), User.row(10, mail: "z")],
                    .upsert
                ),
                ("a taken seat", [User.row(9, mail: "free", team: "red", seat: 1)], .insert),
                (
                    "two new records on one seat",
                    [
                        User.row(8, mail: "p", team: "blue", seat: 1), User.row(9, mail: "q", team: "blue", seat: 1),
                    ], .upsert
                ),
                ("two updated records", [User.row(0, mail: "w"), User.row(1, mail: "w")], .update),
            ]
            for (name, rows, mode) in cases {
                let error = try await context.expectError(.uniqueViolation, from: name) {
                    try await store.commit([
                        .put(entity: "User", rows: RowBuffer(row: User.row(77, mail: "seventy-seven")), mode: .insert),
                        .put(entity: "User", rows: RowBuffer(rows: rows), mode: mode),
                    ])
                }
                try context.expectEqual(error.position, .operation(1), "the position of \(name)")
                context.witness()
            }
            try await store.expectHolds("User", rows)
        },
        Clause(
            "PRE-009",
            "A record does not collide with itself, and values are free again after a change, a delete or a clear, also within one commit.",
            requires: .feature(.uniqueIndexes),
            catches: "The check sees the old entry of the record itself, or entries of records that are gone.",
            witness: "values that were taken again"
        ) { context in
            var store = try await context.open(.users)
            try await store.put("User", [User.row(1, mail: "a"), User.row(2, mail: "b")])
            try await store.put("User", [User.row(1, mail: "a")], mode: .update)
            try await store.put("User", [User.row(1, mail: "a"), User.row(1, mail: "a")])
            try await store.put("User", [User.row(1, mail: "c")])
            try await store.put("User", [User.row(3, mail: "a")], mode: .insert)
            if store.isPersistent { store = try await store.reopen() }
            try await store.delete("User", [User.key(2)])
            try await store.put("User", [User.row(4, mail: "b")])
            try await store.commit([
                .delete(entity: "User", keys: [User.key(4)]),
                .put(entity: "User", rows: RowBuffer(row: User.row(5, mail: "b")), mode: .insert),
                .put(
                    entity: "User", rows: RowBuffer(rows: [User.row(1, mail: "d"), User.row(6, mail: "c")]),
                    mode: .upsert),
            ])
            store = try await store.expectHolds(
                "User",
                [User.row(1, mail: "d"), User.row(3, mail: "a"), User.row(5, mail: "b"), User.row(6, mail: "c")])
            try await store.commit([
                .clear(entity: "User"),
                .put(
                    entity: "User", rows: RowBuffer(rows: [User.row(7, mail: "a"), User.row(8, mail: "b")]),
                    mode: .insert),
            ])
            try await context.expectError(.uniqueViolation, from: "a swap one after the other") {
                try await store.put("User", [User.row(7, mail: "b"), User.row(8, mail: "a")])
            }
            try await store.put("User", [User.row(7, mail: "t"), User.row(8, mail: "a"), User.row(7, mail: "b")])
            try await store.expectHolds("User", [User.row(7, mail: "b"), User.row(8, mail: "a")])
            context.witness(8)
        },
        Clause(
            "PRE-010", "Nulls never collide, also in one field of several; all other values do, empty text included.",
            requires: .feature(.uniqueIndexes),
            catches: "One null is allowed, or an empty text counts as null.",
            witness: "records with null in a unique index"
        ) { context in
            let store = try await context.open(.users)
            let nulls = (0..<6).map {
                User.row($0, mail: nil, team: $0 % 2 == 0 ? "t" : nil, seat: $0 % 2 == 0 ? nil : 1)
            }
            try await store.put("User", nulls, mode: .insert)
            try await store.put("User", nulls, mode: .update)
            try await store.put("User", [User.row(6, mail: "", team: "", seat: 0)])
            for (name, row) in [
                ("an empty text again", User.row(9, mail: "")),
                ("a pair again", User.row(9, mail: nil, team: "", seat: 0)),
                ("a text that was null", User.row(0, mail: "")),
                ("a pair that was null in one field", User.row(1, mail: nil, team: "", seat: 0)),
            ] {
                try await context.expectError(.uniqueViolation, from: name) { try await store.put("User", [row]) }
            }
            let differing = [User.row(7, mail: "x", team: "", seat: 1), User.row(8, mail: "y", team: "t", seat: 0)]
            try await store.put("User", differing)
            try await store.expectHolds("User", nulls + [User.row(6, mail: "", team: "", seat: 0)] + differing)
            context.witness(nulls.count)
        },
        Clause(
            "PRE-011",
            "A unique index calls equal what the one order of values calls equal: text by bytes, date-times by instant.",
            requires: .feature(.uniqueIndexes),
            catches:
                "A collation equates case or normal forms; date-times are compared as text, so one instant counts twice.",
            witness: "values that differ only for a collation, and instants written differently", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Event",
                fields: [
                    FieldSchema("id", .int), FieldSchema("name", .string), FieldSchema("at", .dateTime),
                    FieldSchema("cost", .float),
                ],
                indexes: ["name", "at", "cost"].map { IndexSchema("by-\($0)", on: [$0], isUnique: true) })
            let store = try await context.open(entity)
            let names = ["a", "A", "a ", "é", "e\u{301}", "", "ß", "ss", "\u{FB00}", "ff", "007", "7"]
            let rows: [[Value]] = names.enumerated().map { [.integer(Int64($0)), .text($1), .null, .null] }
            try await store.put("Event", rows, mode: .insert)
            let instant = try FieldType.dateTime.canonical(.text("2024-03-10T12:00:00Z"))
            let same = try FieldType.dateTime.canonical(.text("2024-03-10T14:00:00.000+02:00"))
            let later = try FieldType.dateTime.canonical(.text("2024-03-10T12:00:00.000000001Z"))
            let events: [[Value]] = [
                [.integer(50), .null, instant, .double(0)],
                [.integer(51), .null, later, .double(.leastNonzeroMagnitude)],
            ]
            try await store.put("Event", events, mode: .insert)
            for row in [
                [.integer(60), .null, same, .null], [.integer(60), .null, .null, .double(0)],
                [.integer(60), .text("e\u{301}"), .null, .null],
            ] as [[Value]] {
                try await context.expectError(.uniqueViolation, from: "a put of \(SwiftText.list(row))") {
                    try await store.put("Event", [row])
                }
                context.witness()
            }
            try await store.expectHolds("Event", rows + events)
        },
        Clause(
            "PRE-012",
            "Uniqueness is judged in the commit itself: of many tasks that take the same value, one succeeds.",
            level: .transactional, requires: .feature(.uniqueIndexes),
            catches: "The index is looked at first and written later.",
            witness: "races for one value", protectsData: true
        ) { context in
            let store = try await context.open(.users)
            for round in 0..<10 {
                let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for task in 0..<8 {
                        group.addTask {
                            do {
                                try await store.put("User", [User.row(round * 10 + task, mail: "m\(round)")])
                                return true
                            } catch let error as StorageError
                                where error.kind == .uniqueViolation || error.kind == .conflict
                            {
                                return false
                            }
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                try context.expectEqual(winners, 1, "tasks that took one value")
                let found = try await store.rows(QueryPlan("User", where: .compare("mail", .equal, .text("m\(round)"))))
                try context.expectEqual(found.count, 1, "records with one value")
                context.witness()
            }
        },
    ]
}

extension EntitySchema {
    /// `User(id, mail, team, seat)` with unique mail and unique (team, seat).
    fileprivate static let users = EntitySchema(
        "User",
        fields: [
            FieldSchema("id", .id), FieldSchema("mail", .string), FieldSchema("team", .string),
            FieldSchema("seat", .int),
        ],
        indexes: [
            IndexSchema("byMail", on: ["mail"], isUnique: true),
            IndexSchema("bySeat", on: ["team", "seat"], isUnique: true),
        ])
}

/// Rows for ``EntitySchema/users``.
private enum User {
    static func key(_ number: Int) -> RecordKey { Items.key(number) }

    static func row(_ number: Int, mail: String?, team: String? = nil, seat: Int64? = nil) -> [Value] {
        [
            .text(Items.id(number)), mail.map { .text($0) } ?? .null, team.map { .text($0) } ?? .null,
            seat.map { .integer($0) } ?? .null,
        ]
    }
}
