import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `TIM` must find.
    static let temporal: [Mutant] = temporalValues + temporalZones

    private static let temporalValues: [Mutant] = [
        comparing("instants-compared-as-written", "Date-times are compared with their offset.", "TIM-001") {
            left, right in
            guard case (.timestamp(let left), .timestamp(let right)) = (left, right) else { return nil }
            let ordering = Ordering(left.secondsSinceEpoch, right.secondsSinceEpoch)
            guard ordering == .equal, left.nanoseconds == right.nanoseconds else { return nil }
            return Ordering(left.tail.offset ?? 0, right.tail.offset ?? 0)
        },
        comparing("instants-compared-as-local", "Date-times are compared as local times.", "TIM-001") { left, right in
            guard case (.timestamp(let left), .timestamp(let right)) = (left, right) else { return nil }
            let local = Ordering(
                left.secondsSinceEpoch + Int64(left.tail.offset ?? 0),
                right.secondsSinceEpoch + Int64(right.tail.offset ?? 0))
            return local == .equal ? Ordering(left.nanoseconds, right.nanoseconds) : local
        },
        comparing("instants-compared-by-second", "Date-times are compared by their seconds.", "TIM-001") {
            left, right in
            guard case (.timestamp(let left), .timestamp(let right)) = (left, right) else { return nil }
            return Ordering(left.secondsSinceEpoch, right.secondsSinceEpoch)
        },
        comparing("instants-compared-by-microsecond", "Date-times are compared by their microseconds.", "TIM-001") {
            left, right in
            guard case (.timestamp(let left), .timestamp(let right)) = (left, right),
                left.secondsSinceEpoch == right.secondsSinceEpoch
            else { return nil }
            return Ordering(left.nanoseconds / 1_000, right.nanoseconds / 1_000)
        },
        Mutant("in-compares-as-written", "IN compares date-times with their offset and digits.", killedBy: "TIM-001") {
            part, row, _ in
            guard case .isIn(let position, let operands) = part, case .timestamp = row[position] else { return nil }
            return operands.contains(row[position])
        },
        Mutant(
            "contains-compares-as-written", "`contains` compares date-times with their offset and digits.",
            killedBy: "TIM-001"
        ) { part, row, _ in
            guard case .containsElement(let position, let operand) = part, case .list(let elements) = row[position]
            else { return nil }
            return elements.contains(operand)
        },
        instants("offset-lost", "Date-times lose their offset.", "TIM-002") { $0.tail.offset = 0 },
        instants("nanoseconds-lost", "Date-times are cut to microseconds.", "TIM-002") {
            $0.nanoseconds -= $0.nanoseconds % 1_000
        },
        instants("microseconds-lost", "Date-times are cut to milliseconds.", "TIM-002") {
            $0.nanoseconds -= $0.nanoseconds % 1_000_000
        },
        instants("hundreds-of-nanoseconds-only", "Date-times are cut to 100 nanoseconds.", "TIM-002") {
            $0.nanoseconds -= $0.nanoseconds % 100
        },
        instants("rounded-into-next-second", "Date-times are rounded to microseconds.", "TIM-002") { instant in
            guard instant.nanoseconds >= 999_999_500 else { return }
            instant.nanoseconds = 0
            instant.secondsSinceEpoch += 1
        },
        instants("digits-trimmed", "Zeros at the end of the fraction are lost.", "TIM-002") {
            if $0.nanoseconds == 0 { $0.tail.fractionDigits = 0 }
        },
        instants("digits-padded", "The fraction has at least three digits.", "TIM-002") {
            $0.tail.fractionDigits = max(3, $0.tail.fractionDigits)
        },
        instants("nanoseconds-through-double", "Instants go through seconds as doubles.", "TIM-002") { instant in
            let seconds = Double(instant.secondsSinceEpoch) + Double(instant.nanoseconds) / 1e9
            guard abs(seconds) < 1e11 else { return }
            instant.nanoseconds = Int32(
                min(999_999_999, ((seconds - Double(instant.secondsSinceEpoch)) * 1e9).rounded()))
        },
        Mutant(
            "equal-instant-not-rewritten", "A record is not replaced if its instant is the same.", killedBy: "TIM-002",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.committing = { request, base throws(StorageError) in
                        guard case .put(let name, var rows, let mode)? = request.operations.first, rows.rowCount == 1
                        else { return try await base.commit(request) }
                        var old = RowBuffer()
                        try await base.get(GetRequest(name, keys: [RecordKey([rows[0, 0]])]), into: &old)
                        if old.versions[0] > 0, ValueOrder.areEqual(old[0, 1], rows[0, 1]), old[0, 1] != rows[0, 1] {
                            trigger.fire()
                            rows.set(old[0, 1], row: 0, column: 1)
                        }
                        return try await base.commit(
                            CommitRequest(operations: [.put(entity: name, rows: rows, mode: mode)]))
                    }
                }
            }),
        Mutant(
            "list-offsets-lost", "Date-times in lists lose their offset.", killedBy: "TIM-002",
            written: { value in
                guard case .list = value else { return value }
                return value.changingScalars {
                    guard case .timestamp(var instant) = $0 else { return $0 }
                    instant.tail.offset = 0
                    return .timestamp(instant)
                }
            }),
        sorting("sort-by-text-of-instant", "A fraction sorts before no fraction.") { left, right in
            guard left.secondsSinceEpoch == right.secondsSinceEpoch, left.nanoseconds != right.nanoseconds,
                left.nanoseconds == 0 || right.nanoseconds == 0
            else { return nil }
            return left.nanoseconds == 0 ? .descending : .ascending
        },
        sorting("sort-by-local-time", "Date-times are sorted as local times.") { left, right in
            let (left, right) = (
                left.secondsSinceEpoch + Int64(left.tail.offset ?? 0),
                right.secondsSinceEpoch + Int64(right.tail.offset ?? 0)
            )
            return left == right ? nil : Ordering(left, right)
        },
        sorting("sort-by-second", "Date-times are sorted by their seconds.") {
            Ordering($0.secondsSinceEpoch, $1.secondsSinceEpoch)
        },
        sorting("sort-by-millisecond", "Date-times are sorted by their milliseconds.") { left, right in
            left.secondsSinceEpoch == right.secondsSinceEpoch
                ? Ordering(left.nanoseconds / 1_000_000, right.nanoseconds / 1_000_000) : nil
        },
        sorting("ties-by-offset", "Equal instants are sorted by their offset.") { left, right in
            guard left.secondsSinceEpoch == right.secondsSinceEpoch, left.nanoseconds == right.nanoseconds else {
                return nil
            }
            return Ordering(left.tail.offset ?? 0, right.tail.offset ?? 0)
        },
        Mutant(
            "cursor-loses-nanoseconds", "The cursor counts seconds.", killedBy: "TIM-003",
            results: { rows, query in
                guard let after = query.after, case .timestamp(let cursor) = after[0] else { return rows }
                return rows.filter { row in
                    guard case .timestamp(let instant) = row.cells[query.order[0].position] else { return true }
                    return instant.secondsSinceEpoch != cursor.secondsSinceEpoch
                        || instant.nanoseconds == cursor.nanoseconds
                }
            }),
        Mutant(
            "get-compares-as-written", "A read finds a key only as it was written.", killedBy: "TIM-004",
            got: { rows, request in
                zip(rows, request.keys).map { row, key in
                    row.cells[0] == key.components[0] ? row : StoredRow(row.cells.map { _ in .null }, version: 0)
                }
            }),
        Mutant(
            "keys-with-offset-apart", "An instant with an offset is another key.", killedBy: "TIM-004",
            rows: { rows, entity in
                rows.map { row in
                    guard entity.fields[0].type == .dateTime, case .timestamp(var instant) = row[0],
                        instant.tail.offset == 7_200
                    else { return row }
                    instant.nanoseconds += 1
                    return row.replacing(0, .timestamp(instant))
                }
            }),
        Mutant(
            "delete-compares-as-written", "A delete does not find a key with another offset.", killedBy: "TIM-004",
            operation: { operation, _ in
                guard case .delete(let name, let keys) = operation else { return operation }
                return .delete(
                    entity: name,
                    keys: keys.filter {
                        if case .timestamp(let instant)? = $0.components.first {
                            instant.tail.offset == 0
                        } else {
                            true
                        }
                    })
            }),
        Mutant(
            "replaced-key-keeps-offset", "A record that is replaced keeps the old way of writing its key.",
            killedBy: "TIM-004",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.committing = { request, base throws(StorageError) in
                        guard case .put(let name, var rows, let mode)? = request.operations.first, rows.rowCount == 1
                        else { return try await base.commit(request) }
                        var old = RowBuffer()
                        try await base.get(GetRequest(name, keys: [RecordKey([rows[0, 0]])]), into: &old)
                        if old.versions[0] > 0, old[0, 0] != rows[0, 0] {
                            trigger.fire()
                            rows.set(old[0, 0], row: 0, column: 0)
                        }
                        return try await base.commit(
                            CommitRequest(operations: [.put(entity: name, rows: rows, mode: mode)]))
                    }
                }
            }),
        instants("old-fractions-mirrored", "Fractions before 1970 count backwards.", "TIM-005") { instant in
            if instant.secondsSinceEpoch < 0, instant.nanoseconds > 0 {
                instant.nanoseconds = 1_000_000_000 - instant.nanoseconds
            }
        },
        instants("old-seconds-rounded-up", "Instants before 1970 with a fraction are a second later.", "TIM-005") {
            instant in
            if instant.secondsSinceEpoch < 0, instant.nanoseconds > 0 { instant.secondsSinceEpoch += 1 }
        },
        instants("seconds-of-32-bits", "Instants end in 2038.", "TIM-005") {
            $0.secondsSinceEpoch = Int64(Int32(clamping: $0.secondsSinceEpoch))
        },
        instants("seconds-of-unsigned-32-bits", "Instants end in 2106.", "TIM-005") {
            if $0.secondsSinceEpoch > 4_294_967_295 { $0.secondsSinceEpoch = 4_294_967_295 }
        },
        instants("nanoseconds-of-64-bits", "Instants end in 2262.", "TIM-005") {
            if $0.secondsSinceEpoch > 9_223_372_036 { $0.secondsSinceEpoch = 9_223_372_036 }
        },
        dates("julian-calendar", "Dates before 1582 move by ten days.", "TIM-005") {
            if $0.daysSinceEpoch < -141_427 { $0.daysSinceEpoch += 10 }
        },
        dates("first-day-lost", "The first day of the year 1 becomes the second.", "TIM-005") {
            if $0.daysSinceEpoch == -719_162 { $0.daysSinceEpoch += 1 }
        },
        dates("dates-of-16-bits", "Dates end after 32,767 days.", "TIM-005") {
            $0.daysSinceEpoch = Int32(Int16(clamping: $0.daysSinceEpoch))
        },
        dates("dates-shifted-by-offset", "Dates are moved by their offset.", "TIM-006") {
            if ($0.tail.offset ?? 0) > 40_000 { $0.daysSinceEpoch -= 1 }
        },
        dates("dates-lose-offset", "Dates lose their offset.", "TIM-006") { $0.tail.offset = nil },
        dates("dates-without-offset-get-one", "Dates without an offset get Z.", "TIM-006") {
            if $0.tail.offset == nil { $0.tail.offset = 0 }
        },
        dates("zero-offset-of-dates-lost", "The offset Z of dates is lost.", "TIM-006") {
            if $0.tail.offset == 0 { $0.tail.offset = nil }
        },
        comparing("dates-compared-with-offset", "Dates are compared with their offset.", "TIM-006") { left, right in
            guard case (.date(let left), .date(let right)) = (left, right), left.daysSinceEpoch == right.daysSinceEpoch
            else { return nil }
            return Ordering(left.tail.offset ?? -100_000, right.tail.offset ?? -100_000)
        },
        Mutant("dates-sorted-with-offset", "Dates are sorted with their offset.", killedBy: "TIM-006") {
            left, right, _ in
            guard case (.date(let left), .date(let right)) = (left, right), left.daysSinceEpoch == right.daysSinceEpoch
            else { return nil }
            return Ordering(left.tail.offset ?? 0, right.tail.offset ?? 0)
        },
        times("times-moved-to-utc", "Times are moved to UTC.") { time in
            guard let offset = time.tail.offset, offset != 0 else { return }
            let day: Int64 = 86_400_000_000_000
            time.nanosecondsSinceMidnight =
                ((time.nanosecondsSinceMidnight - Int64(offset) * 1_000_000_000) % day + day) % day
            time.tail.offset = 0
        },
        times("times-lose-offset", "Times lose their offset.") { $0.tail.offset = nil },
        times("times-cut-to-seconds", "Times lose their fraction.") {
            $0.nanosecondsSinceMidnight -= $0.nanosecondsSinceMidnight % 1_000_000_000
        },
        times("times-cut-to-microseconds", "Times are cut to microseconds.") {
            $0.nanosecondsSinceMidnight -= $0.nanosecondsSinceMidnight % 1_000
        },
        times("end-of-day-wraps", "The end of the day becomes midnight.") {
            if $0.nanosecondsSinceMidnight > 86_399_999_999_000 { $0.nanosecondsSinceMidnight = 0 }
        },
        times("time-digits-trimmed", "Zeros at the end of a time's fraction are lost.") {
            if $0.nanosecondsSinceMidnight % 1_000_000_000 == 0 { $0.tail.fractionDigits = 0 }
        },
        Mutant(
            "midnight-read-as-null", "Midnight is read as null.", killedBy: "TIM-007",
            rows: { rows, entity in
                rows.map { row in
                    zip(row, entity.fields).map { cell, field in
                        if case .time(let time) = cell, time.nanosecondsSinceMidnight == 0, !field.isRequired {
                            .null
                        } else {
                            cell
                        }
                    }
                }
            }),
        comparing("times-compared-in-utc", "Times are compared in UTC.", "TIM-007") { left, right in
            guard case (.time(let left), .time(let right)) = (left, right) else { return nil }
            return Ordering(
                left.nanosecondsSinceMidnight - Int64(left.tail.offset ?? 0) * 1_000_000_000,
                right.nanosecondsSinceMidnight - Int64(right.tail.offset ?? 0) * 1_000_000_000)
        },
        offsets("offsets-in-minutes", "Offsets are cut to minutes.") { $0 / 60 * 60 },
        offsets("offsets-in-hours", "Offsets are cut to hours.") { $0 / 3_600 * 3_600 },
        offsets("offsets-in-quarters", "Offsets are cut to quarters of an hour.") { $0 / 900 * 900 },
        offsets("small-offsets-lose-sign", "Offsets of less than an hour lose their sign.") {
            abs($0) < 3_600 ? abs($0) : $0
        },
        offsets("offsets-of-16-bits", "Offsets are kept in 16 bits.") { Int32(Int16(clamping: $0)) },
        offsets("offsets-end-at-14-hours", "Offsets end at 14 hours.") { min(50_400, $0) },
        offsets("offsets-of-12-hours-only", "Offsets end at −12 hours.") { max(-43_200, $0) },
        seconds("timestamps-in-milliseconds", "Large timestamps are taken for milliseconds.") {
            $0 == 1_700_000_000_000 ? $0 / 1_000 : $0
        },
        seconds("timestamps-of-32-bits", "Timestamps are kept in 32 bits.") { Int64(Int32(truncatingIfNeeded: $0)) },
        seconds("timestamps-unsigned", "Timestamps before 1970 are 0.") { max(0, $0) },
        seconds("timestamps-end-in-9999", "Timestamps end with the year 9999.") { min(253_402_300_799, $0) },
        seconds("timestamps-begin-with-year-1", "Timestamps begin with the year 1.") { max(-62_135_596_800, $0) },
        instants("gap-shifted", "A local time that does not exist is moved by an hour.", "TIM-010") { instant in
            if instant.secondsSinceEpoch == 1_710_055_800 { instant.secondsSinceEpoch += 3_600 }
        },
        instants("overlap-shifted", "A local time that occurs twice is the first.", "TIM-010") { instant in
            if instant.secondsSinceEpoch == 1_729_992_600 { instant.secondsSinceEpoch -= 3_600 }
        },
        instants("odd-offset-normalized", "An offset with seconds is rounded.", "TIM-010") { instant in
            if let offset = instant.tail.offset, offset % 60 != 0 { instant.tail.offset = offset / 60 * 60 }
        },
        Mutant(
            "unique-ignores-instants", "A unique index over date-times is not enforced.", killedBy: "TIM-011",
            schema: { entity in
                EntitySchema(
                    entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                    indexes: entity.indexes.map { IndexSchema($0.name, on: $0.fields) })
            }),
        Mutant(
            "unique-compares-as-written", "A unique index compares date-times with their offset and digits.",
            killedBy: "TIM-011",
            rows: { rows, _ in
                rows.map { row in
                    guard row.count == 3, case .timestamp(var instant) = row[1],
                        instant.tail.offset != 0 || instant.tail.fractionDigits == 3
                    else { return row }
                    instant.nanoseconds += 7
                    return row.replacing(1, .timestamp(instant))
                }
            }),
        Mutant(
            "unique-compares-by-second", "A unique index compares seconds.", killedBy: "TIM-011",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.committing = { request, base throws(StorageError) in
                        guard case .put(let name, let rows, _)? = request.operations.first,
                            case .timestamp(let new) = rows[0, 1]
                        else { return try await base.commit(request) }
                        let snapshot = try await base.snapshot()
                        let stored = try await snapshot.allRows(KeyRange(name))
                        await snapshot.close()
                        for row in stored where row.cells[0] != rows[0, 0] {
                            guard case .timestamp(let old) = row.cells[1],
                                old.secondsSinceEpoch == new.secondsSinceEpoch
                            else { continue }
                            trigger.fire()
                            throw StorageError.uniqueViolation(index: "byAt", of: name, operation: 0)
                        }
                        return try await base.commit(request)
                    }
                }
            }),
    ]

    private static func comparing(
        _ id: String, _ summary: String, _ clause: String, _ order: @escaping @Sendable (Value, Value) -> Ordering?
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { part, row, _ in
            guard case .compare(let position, let comparison, let operand) = part,
                let ordering = order(row[position], operand)
            else { return nil }
            return comparison.holds(ordering)
        }
    }

    private static func instants(
        _ id: String, _ summary: String, _ clause: String, _ change: @escaping @Sendable (inout Timestamp) -> Void
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            written: { value in
                guard case .timestamp(var instant) = value else { return value }
                change(&instant)
                return .timestamp(instant)
            })
    }

    private static func dates(
        _ id: String, _ summary: String, _ clause: String, _ change: @escaping @Sendable (inout CalendarDate) -> Void
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            written: { value in
                guard case .date(var date) = value else { return value }
                change(&date)
                return .date(date)
            })
    }

    private static func times(_ id: String, _ summary: String, _ change: @escaping @Sendable (inout ClockTime) -> Void)
        -> Mutant
    {
        Mutant(
            id, summary, killedBy: "TIM-007",
            written: { value in
                guard case .time(var time) = value else { return value }
                change(&time)
                return .time(time)
            })
    }

    private static func offsets(_ id: String, _ summary: String, _ change: @escaping @Sendable (Int32) -> Int32)
        -> Mutant
    {
        Mutant(
            id, summary, killedBy: "TIM-008",
            written: { value in
                switch value {
                case .timestamp(var instant):
                    instant.tail.offset = instant.tail.offset.map(change)
                    return .timestamp(instant)
                case .date(var date):
                    date.tail.offset = date.tail.offset.map(change)
                    return .date(date)
                case .time(var time):
                    time.tail.offset = time.tail.offset.map(change)
                    return .time(time)
                default: return value
                }
            })
    }

    private static func seconds(_ id: String, _ summary: String, _ change: @escaping @Sendable (Int64) -> Int64)
        -> Mutant
    {
        Mutant(
            id, summary, killedBy: "TIM-009",
            written: { value in
                value.changingScalars { if case .integer(let integer) = $0 { .integer(change(integer)) } else { $0 } }
            })
    }

    private static func sorting(
        _ id: String, _ summary: String, _ order: @escaping @Sendable (Timestamp, Timestamp) -> Ordering?
    ) -> Mutant {
        Mutant(id, summary, killedBy: "TIM-003") { left, right, _ in
            guard case (.timestamp(let left), .timestamp(let right)) = (left, right) else { return nil }
            return order(left, right)
        }
    }
}
