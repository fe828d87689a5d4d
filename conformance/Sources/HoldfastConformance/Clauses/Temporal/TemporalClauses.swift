import HoldfastStorage

extension Clause {
    /// Dates, times and instants.
    static let temporal: [Clause] = temporalValues + temporalZones

    private static let temporalValues: [Clause] = [
        Clause(
            "TIM-001", "Date-times are compared as instants, whatever offset and digits they are written with.",
            level: .query,
            catches: "ISO texts compared as texts; a column that keeps local times.",
            witness: "the same instants with different offsets, compared in every way"
        ) { context in
            for indexes in [[], [IndexSchema("byAt", on: ["at"])]] {
                var store = try await ComparedStore(context, .moments(.dateTime, indexes))
                let instants = try SampleMoment.instants.map { try FieldType.dateTime.canonical(.text($0)) }
                try await store.put(
                    "Moment", instants.enumerated().map { [.text(SampleText.key($0)), $1, .list([$1, .null])] })
                for instant in instants {
                    for comparison in Predicate.Comparison.allCases {
                        context.witness(
                            try await store.expectAgrees(
                                QueryPlan("Moment", where: .compare("at", comparison, instant))))
                    }
                    for condition: Predicate in [
                        .isIn("at", [instant, instants[0]]), .between("at", instants[1], instant),
                        .contains("all", instant), .between("at", instant, instant),
                    ] { context.witness(try await store.expectAgrees("Moment", condition)) }
                }
                for text in SampleMoment.instants {
                    context.witness(
                        try await store.expectAgrees(QueryPlan("Moment", where: .compare("at", .equal, .text(text)))))
                }
            }
        },
        Clause(
            "TIM-002", "Date-times keep their nanoseconds, and the offset and digits in which they were written.",
            catches: "Milliseconds only, rounding into the next second, offsets dropped, trailing zeros cut or added.",
            witness: "instants of every precision and offset, read back", protectsData: true
        ) { context in
            let texts = SampleMoment.instants + SampleMoment.fractions.map { "2024-05-06T07:08:09\($0)-03:30" }
            let instants = try texts.map { try FieldType.dateTime.canonical(.text($0)) }
            var store = try await ComparedStore(context, .moments(.dateTime))
            try await store.put(
                "Moment", instants.enumerated().map { [.text(SampleText.key($0)), $1, .list([$1, .null, $1])] })
            try await store.expectHolds("Moment")
            context.witness(instants.count)
            // The same instant in another way of writing is a new value.
            for (old, new) in [
                ("2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"),
                ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00.000Z"),
            ] {
                for text in [old, new] {
                    try await store.put(
                        "Moment", [[.text("again"), try FieldType.dateTime.canonical(.text(text)), .null]])
                    try await store.expectHolds("Moment")
                }
            }
        },
        Clause(
            "TIM-003", "Date-times are sorted by instant, ties by the key; pages by cursor neither skip nor repeat.",
            level: .query, catches: "`…00.5Z` before `…00Z`, as '.' comes before 'Z'; seconds only in the cursor.",
            witness: "instants sorted, and scanned in pages"
        ) { context in
            for indexes in [[], [IndexSchema("byAt", on: ["at"])]] {
                let entity = EntitySchema.moments(.dateTime, indexes)
                var store = try await ComparedStore(context, entity)
                let instants = try SampleMoment.instants.map { try FieldType.dateTime.canonical(.text($0)) }
                try await store.put(
                    "Moment",
                    instants.reversed().enumerated().map { [.text(SampleText.key($0)), $1, .null] } + [
                        [.text("n"), .null, .null]
                    ])
                for direction: SortKey.Direction in [.ascending, .descending] {
                    let plan = QueryPlan("Moment", sort: [SortKey("at", direction)])
                    context.witness(try await store.expectAgrees(plan))
                    for page in [1, 2, 5] {
                        let scanned = try await store.store.store.withSnapshot {
                            try await $0.readPages(plan, page: page, of: entity, maximumCount: 500).map(\.cells)
                        }
                        try context.expectEqual(
                            scanned, try await store.store.rows(plan), "pages of \(page), \(direction)")
                    }
                }
            }
        },
        Clause(
            "TIM-004", "A key with a date-time names its record whatever offset it is written with.",
            catches: "Keys encoded with the offset: two records of one instant, or a record that is not found.",
            witness: "records read, replaced and deleted by keys of another offset", protectsData: true
        ) { context in
            let entity = EntitySchema("Moment", fields: [FieldSchema("id", .dateTime), FieldSchema("note", .string)])
            var store = try await ComparedStore(context, entity)
            var rows: [[Value]] = []
            for text in SampleMoment.instants {
                rows.append([try FieldType.dateTime.canonical(.text(text)), .text(text)])
            }
            try await store.put("Moment", rows)
            try await store.expectHolds("Moment")
            for row in rows {
                guard case .timestamp(var instant) = row[0] else { continue }
                for offset: Int32 in [0, 3_600, -7_200, 20_700] {
                    instant.tail.offset = offset
                    let key = RecordKey([.timestamp(instant)])
                    let expected = store.rows(of: "Moment").first { entity.key(of: $0) == key }
                    try context.expectEqual(
                        try await store.store.row("Moment", key), expected, "the record of a key with another offset")
                    context.witness()
                }
            }
            let before = store.rows(of: "Moment").count
            let other = try ["2024-03-10T07:00:00.50-05:00", "1970-01-01T05:45:00+05:45"].map {
                try FieldType.dateTime.canonical(.text($0))
            }
            try await store.put("Moment", [[other[0], .text("replaced")]])
            try context.expectEqual(store.rows(of: "Moment").count, before, "the number of instants")
            try await store.expectHolds("Moment")
            let receipt = try await store.store.delete("Moment", [RecordKey([other[1]])])
            try context.expectEqual(receipt.deletedCount, 1, "the records deleted by a key with another offset")
        },
        Clause(
            "TIM-005", "Instants before 1970 and of the years 1 and 9999 are exact, with their fractions.",
            catches: "Seconds rounded toward zero below the epoch, 32-bit seconds, another calendar before 1582.",
            witness: "instants and dates of every century, read back in order", protectsData: true
        ) { context in
            var instants: [Value] = []
            var dates: [Value] = []
            for year in [
                "0001", "0004", "0100", "0999", "1000", "1500", "1582", "1583", "1600", "1700", "1752", "1899", "1900",
                "1901", "1969", "1970", "1999", "2000", "2038", "2106", "2262", "2400", "9999",
            ] {
                for day in ["01-02", "02-28", "03-01", "10-04", "10-15", "12-30"] {
                    dates.append(try FieldType.date.canonical(.text("\(year)-\(day)")))
                    for time in ["00:00:00", "12:34:56.000000001", "23:59:59.999999999"] {
                        instants.append(try FieldType.dateTime.canonical(.text("\(year)-\(day)T\(time)Z")))
                    }
                }
            }
            for text in ["1582-10-10", "1600-02-29", "2000-02-29", "2024-02-29", "0001-01-01", "9999-12-31"] {
                dates.append(try FieldType.date.canonical(.text(text)))
            }
            for (type, values) in [(FieldType.dateTime, instants), (.date, dates)] {
                let entity = EntitySchema("Moment", fields: [FieldSchema("id", type), FieldSchema("at", type)])
                var store = try await ComparedStore(context, entity)
                try await store.put("Moment", values.reversed().map { [$0, $0] })
                try await store.expectHolds("Moment")
                context.witness(values.count)
                let epoch = try type.canonical(.text(type == .date ? "1970-01-01" : "1970-01-01T00:00:00Z"))
                for comparison in Predicate.Comparison.allCases {
                    context.witness(
                        try await store.expectAgrees(QueryPlan("Moment", where: .compare("at", comparison, epoch))))
                }
                try await store.expectAgrees(QueryPlan("Moment", sort: [SortKey("at", .descending)], limit: 100))
            }
        },
        Clause(
            "TIM-006", "A date is a day: no zone shifts it, and its offset is kept but does not count.",
            catches: "Dates kept as instants move by a day west of Greenwich.",
            witness: "dates with and without offsets, read back and compared", protectsData: true
        ) { context in
            let texts = [
                "2024-03-10", "2024-03-10Z", "2024-03-10+14:00", "2024-03-10-12:00", "2024-03-10+01:00", "2024-03-09",
                "2024-03-11", "2024-03-09-17:59:59", "2024-03-11+17:59:59",
                "1970-01-01", "1969-12-31", "1969-12-31+01:00", "1970-01-01-01:00", "0001-01-01+10:00",
                "9999-12-31-10:00",
            ]
            try await expectKept(context, .date, texts)
        },
        Clause(
            "TIM-007",
            "A time of day is what the clock shows: no zone shifts it, and its offset is kept but does not count.",
            catches: "Times moved to UTC, seconds cut, midnight as null.",
            witness: "times with and without offsets, read back and compared",
            protectsData: true
        ) { context in
            let texts =
                [
                    "00:00", "00:00:00", "00:00Z", "00:00+01:00", "00:00-01:00", "23:59:59.999999999", "23:59", "12:00",
                    "12:00Z", "12:00+14:00", "12:00-12:00", "11:59:59.999999999",
                    "12:00:00.000000001", "12:00:00.5", "12:00:00.50", "12:00:00.500+05:45", "01:00+17:59:59",
                ] + SampleMoment.fractions.map { "07:08:09\($0)" }
            try await expectKept(context, .time, texts)
        },
        Clause(
            "TIM-008", "Every offset is kept to the second: quarters of hours, less than an hour, and almost 18 hours.",
            catches: "Offsets rounded to minutes or hours, or without their sign below one hour.",
            witness: "instants at every kind of offset", protectsData: true
        ) { context in
            let offsets: [Int32] = [
                0, 1, -1, 59, -59, 60, -60, 1_800, -1_800, 3_599, -3_599, 3_600, -3_600, 12_600, -12_600, 20_700,
                43_200, -43_200, 45_900, 50_400, -64_799, 64_799, 127 * 256, -127 * 256,
                128, 255, 256, -256, 32_767, 32_768, -32_768, -32_769, 65_535 / 2,
            ]
            let values = offsets.map {
                Value.timestamp(
                    Timestamp(
                        secondsSinceEpoch: 1_700_000_000, nanoseconds: 120_000_000,
                        tail: WrittenForm(offset: $0, fractionDigits: 3)))
            }
            let dates = offsets.map { Value.date(CalendarDate(daysSinceEpoch: 19_000, tail: WrittenForm(offset: $0))) }
            let times = offsets.map {
                Value.time(
                    ClockTime(nanosecondsSinceMidnight: 1_000_000, tail: WrittenForm(offset: $0, fractionDigits: 9)))
            }
            for (type, values) in [(FieldType.dateTime, values), (.date, dates), (.time, times)] {
                var store = try await ComparedStore(context, .moments(type))
                try await store.put("Moment", values.enumerated().map { [.text(SampleText.key($0)), $1, .list([$1])] })
                try await store.expectHolds("Moment")
                context.witness(
                    try await store.expectAgrees(QueryPlan("Moment", where: .compare("at", .equal, values[0]))))
                context.witness(try await store.expectAgrees(QueryPlan("Moment", sort: [SortKey("at")])))
            }
        },
        Clause(
            "TIM-009", "A timestamp is a count of whole seconds in 64 bits: no unit, no year and no zone changes it.",
            catches: "Seconds taken for milliseconds, 32 bits that end in 2038.",
            witness: "timestamps of every size, read back", protectsData: true
        ) { context in
            let seconds: [Int64] = [
                0, 1, -1, 59, 1_700_000_000, 1_700_000_000_000, 2_147_483_647, 2_147_483_648, -2_147_483_648,
                -2_147_483_649, 4_294_967_295, 4_294_967_296, 253_402_300_800,
                -62_135_596_801, .max, .min, 9_999_999_999, 10_000_000_000,
            ]
            let entity = EntitySchema(
                "Moment",
                fields: [
                    FieldSchema("id", .timestamp), FieldSchema("at", .timestamp),
                    FieldSchema("all", .list(of: .timestamp, elementsAreRequired: false)),
                ])
            var store = try await ComparedStore(context, entity)
            try await store.put("Moment", seconds.map { [.integer($0), .integer($0), .list([.integer($0)])] })
            try await store.expectHolds("Moment")
            for second in seconds {
                context.witness(try await store.expectAgrees("Moment", .compare("at", .lessOrEqual, .integer(second))))
                context.witness(try await store.expectAgrees("Moment", .contains("all", .integer(second))))
            }
        },
        Clause(
            "TIM-010", "Local times that a change of summer time skips or repeats are kept like all others.",
            catches: "The host's or the session's time zone moves what does not exist in it.",
            witness: "local times in gaps and overlaps, read back", protectsData: true
        ) { context in
            let texts = [
                "2024-03-10T02:30:00-05:00", "2024-03-10T02:30:00-04:00", "2024-03-31T02:30:00+01:00",
                "2024-03-31T02:30:00+02:00", "2024-10-27T02:30:00+02:00", "2024-10-27T02:30:00+01:00",
                "2024-11-03T01:30:00-04:00", "2024-11-03T01:30:00-05:00", "2011-12-30T12:00:00+14:00",
                "2011-12-30T12:00:00-10:00", "1883-11-18T12:03:57-04:56:02", "2016-12-31T23:59:59Z",
                "2017-01-01T00:00:00Z", "2024-03-31T01:59:59.999999999Z", "2024-03-31T01:00:00Z",
            ]
            try await expectKept(context, .dateTime, texts)
        },
        Clause(
            "TIM-011", "A unique index takes two ways of writing one instant for equal.",
            requires: .feature(.uniqueIndexes),
            catches: "The index compares what was written instead of when.",
            witness: "an instant refused in another way of writing",
            protectsData: true
        ) { context in
            let entity = EntitySchema.moments(.dateTime, [IndexSchema("byAt", on: ["at"], isUnique: true)])
            let store = try await context.open(entity)
            let first = try FieldType.dateTime.canonical(.text("2024-01-01T00:00:00.5Z"))
            try await store.put("Moment", [[.text("a"), first, .null]])
            for text in ["2024-01-01T01:00:00.5+01:00", "2024-01-01T00:00:00.500Z", "2023-12-31T23:30:00.5-00:30"] {
                try await context.expectError(.uniqueViolation, from: "a second record of one instant") {
                    try await store.put("Moment", [[.text("b"), .text(text), .null]])
                }
                context.witness()
            }
            let others = try ["2024-01-01T00:00:00.500000001Z", "2024-01-01T00:00:00.5+01:00"].map {
                try FieldType.dateTime.canonical(.text($0))
            }
            try await store.put("Moment", others.enumerated().map { [.text("c\($0)"), $1, .null] })
            try await store.expectHolds(
                "Moment",
                [[.text("a"), first, .null], [.text("c0"), others[0], .null], [.text("c1"), others[1], .null]])
        },
        Clause(
            "TIM-012", "Dates and times that do not exist, or lack an offset, are refused, and nothing changes.",
            catches: "Leap seconds and 24:00 become the next day; 30 February becomes 1 March.",
            witness: "refusals of everything that is not a date or time", protectsData: true
        ) { context in
            let entity = EntitySchema(
                "Moment",
                fields: [
                    FieldSchema("id", .id), FieldSchema("at", .dateTime), FieldSchema("date", .date),
                    FieldSchema("time", .time),
                ])
            let store = try await context.open(entity)
            let kept: [[Value]] = [[.text("a"), .null, .null, .null]]
            try await store.put("Moment", kept)
            let bad = [
                "at": [
                    "2024-01-01T00:00:60Z", "2016-12-31T23:59:60Z", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00",
                    "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2024-02-30T00:00:00Z",
                    "2023-02-29T00:00:00Z", "2024-01-01T00:00:00.1234567890Z", "2024-01-01T00:00:00+18:00",
                    "0001-01-01T00:00:00+01:00", "2024-01-01", "infinity", "", "2024-01-01 00:00:00Z",
                ],
                "date": [
                    "2024-02-30", "0000-01-01", "2024-13-01", "2024-1-1", "2024-00-01", "20240101", "",
                    "2024-01-01T00:00:00Z", "1900-02-29",
                ],
                "time": ["24:00", "23:60", "23:59:60", "1:00", "", "12", "12:00:00.1234567890", "12:00+18:00"],
            ]
            for (field, texts) in bad.sorted(by: { $0.key < $1.key }) {
                let position = try entity.requirePosition(of: field)
                for text in texts {
                    try await context.expectError(.unrepresentable, from: "a put of an invalid \(field)") {
                        try await store.put(
                            "Moment", [kept[0].replacing(0, .text("b")), kept[0].replacing(position, .text(text))])
                    }
                    try await context.expectError(.unrepresentable, from: "a condition with an invalid \(field)") {
                        _ = try await store.rows(QueryPlan("Moment", where: .compare(field, .equal, .text(text))))
                    }
                    context.witness()
                }
            }
            try await store.expectHolds("Moment", kept)
        },
    ]

    /// Values of a temporal type come back as they were written and are compared as the reference does, also as keys.
    static func expectKept(_ context: ClauseContext, _ type: FieldType, _ texts: [String]) async throws {
        let values = try texts.map { try type.canonical(.text($0)) }
        var store = try await ComparedStore(context, .moments(type, [IndexSchema("byAt", on: ["at"])]))
        try await store.put("Moment", values.enumerated().map { [.text(SampleText.key($0)), $1, .list([$1, .null])] })
        try await store.expectHolds("Moment")
        for value in values {
            for comparison in Predicate.Comparison.allCases {
                context.witness(
                    try await store.expectAgrees(QueryPlan("Moment", where: .compare("at", comparison, value))))
            }
            context.witness(try await store.expectAgrees("Moment", .isIn("at", [value])))
            context.witness(try await store.expectAgrees("Moment", .contains("all", value)))
        }
        for direction: SortKey.Direction in [.ascending, .descending] {
            context.witness(try await store.expectAgrees(QueryPlan("Moment", sort: [SortKey("at", direction)])))
        }
        let keyed = EntitySchema("Keyed", fields: [FieldSchema("id", type), FieldSchema("note", .string)])
        var keys = try await ComparedStore(context, keyed)
        try await keys.put("Keyed", zip(values, texts).map { [$0, .text($1)] })
        try await keys.expectHolds("Keyed")
    }
}

extension EntitySchema {
    /// `Moment(id, at, all)` of a temporal type.
    static func moments(_ type: FieldType, _ indexes: [IndexSchema] = []) -> EntitySchema {
        EntitySchema(
            "Moment",
            fields: [
                FieldSchema("id", .id), FieldSchema("at", type),
                FieldSchema("all", .list(of: type, elementsAreRequired: false)),
            ],
            indexes: indexes)
    }
}

/// Instants that checks share.
enum SampleMoment {
    /// Instants that texts order otherwise, and some of them in several ways of writing.
    static let instants = [
        "1970-01-01T00:00:00Z", "1970-01-01T01:00:00+01:00", "1970-01-01T00:00:00.000Z", "1969-12-31T19:00:00-05:00",
        "1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.999999999Z",
        "1969-12-31T23:59:58.000000001Z", "2024-03-10T12:00:00Z", "2024-03-10T12:00:00.5Z",
        "2024-03-10T14:00:00.500+02:00", "2024-03-10T12:00:00.123456789Z", "2024-03-10T12:00:00.123456788Z",
        "2024-03-10T12:00:00.1234567Z", "2024-03-10T12:00:01Z", "2024-03-10T11:59:59.999999999Z",
        "2024-03-10T23:00:00+11:00", "2024-03-10T00:30:00-11:30", "2024-03-11T00:00:00+12:00",
        "2024-03-09T23:00:00-13:00", "0001-01-02T00:00:00Z", "9999-12-30T23:59:59.999999999Z",
        "2024-03-10T12:00:00.000001Z", "2024-03-10T12:00:00.001Z", "2024-03-10T12:00:00.000000001Z",
        "2024-03-10T12:00:00.9999999Z", "2024-03-10T12:00:00.999999999Z", "2024-03-10T12:00:00.9995Z",
    ]

    /// Fractions of seconds of every length.
    static let fractions = [
        "", ".0", ".1", ".10", ".12", ".123", ".1230", ".1234", ".12345", ".123456", ".1234567", ".12345678",
        ".123456789", ".000000001", ".999999999", ".9999999", ".000", ".000000000",
        ".5", ".50", ".05", ".0005", ".999",
    ]
}
