import HoldfastStorage

extension Defect {
    // MARK: Order

    static let textOrder: [Defect] = [
        sortingText("sort-by-utf-16", "Text is sorted by UTF-16 code units.", killedBy: "TXT-010") { left, right in
            left.utf16.lexicographicallyPrecedes(right.utf16)
        },
        sortingText("sort-folds-case", "Text is sorted without regard to case.", killedBy: "TXT-010") { left, right in
            (left.foldingASCII, left) < (right.foldingASCII, right)
        },
        sortingText("sort-normalises", "Text is sorted by its normal form.", killedBy: "TXT-010") { $0 < $1 },
        sortingText("sort-by-signed-bytes", "Bytes are sorted as signed numbers.", killedBy: "TXT-010") { left, right in
            left.utf8.lexicographicallyPrecedes(right.utf8) { Int8(bitPattern: $0) < Int8(bitPattern: $1) }
        },
        sortingText("sort-ignores-punctuation", "The sort passes over hyphens and spaces.", killedBy: "TXT-010") {
            left, right in
            let ignoring: (String) -> String = { $0.mapScalars { $0 == "-" || $0 == " " ? nil : $0 } }
            return (ignoring(left), left) < (ignoring(right), right)
        },
        sortingText("sort-by-number", "Digits are sorted as numbers.", killedBy: "TXT-010") { left, right in
            guard let leftNumber = Int(left), let rightNumber = Int(right) else { return nil }
            return leftNumber < rightNumber
        },
        sortingText("shorter-first", "Shorter texts are sorted first.", killedBy: "TXT-010") { left, right in
            left.utf8.count == right.utf8.count ? nil : left.utf8.count < right.utf8.count
        },
        Defect(
            "descending-by-utf-16", "Text is sorted by UTF-16 where it is descending.", killedBy: "TXT-010",
            results: { rows, query in
                guard query.order[0].isDescending, query.limit == nil, query.offset == 0, query.projectsAllFields else {
                    return rows
                }
                let position = query.order[0].position
                return rows.sorted {
                    $1.cells[position].sampleText.utf16.lexicographicallyPrecedes($0.cells[position].sampleText.utf16)
                }
            }),
        rangesOfText("range-folds-case", "Ranges ignore case, the sort does not.", killedBy: "TXT-011") { left, right in
            (left.foldingASCII, left) < (right.foldingASCII, right)
        },
        rangesOfText("range-by-utf-16", "Ranges compare UTF-16 code units.", killedBy: "TXT-011") { left, right in
            left.utf16.lexicographicallyPrecedes(right.utf16)
        },
        rangesOfText("range-normalises", "Ranges compare normal forms.", killedBy: "TXT-011") { $0 < $1 },
        Defect("between-folds-case", "Only `between` ignores case.", killedBy: "TXT-011") { part, row, _ in
            guard case .between(let position, .text(let lower), .text(let upper)) = part,
                case .text(let text) = row[position]
            else { return nil }
            return lower.foldingASCII <= text.foldingASCII && text.foldingASCII <= upper.foldingASCII
        },
        cursor("cursor-by-utf-16", "The cursor compares UTF-16 code units.") { left, right in
            left.utf16.lexicographicallyPrecedes(right.utf16)
        },
        cursor("cursor-folds-case", "The cursor ignores case.") { $0.foldingASCII < $1.foldingASCII },
        cursor("cursor-normalises", "The cursor compares normal forms.") { $0 < $1 },
        Defect(
            "cursor-by-utf-16-in-indexes", "The cursor compares UTF-16 where there is an index.", killedBy: "TXT-012",
            results: { rows, query in
                guard let after = query.after, !query.entity.indexes.isEmpty, case .text(let place) = after[0] else {
                    return rows
                }
                let position = query.order[0].position
                return rows.filter { row in
                    guard case .text(let text) = row.cells[position],
                        text.unicodeScalars.first.map({ $0.value > 0xFFFF }) ?? false
                    else { return true }
                    return !text.utf16.lexicographicallyPrecedes(place.utf16) || query.order[0].isDescending
                }
            }),
        scanning("scan-by-utf-16", "Scans deliver keys in the order of UTF-16 code units.") {
            $0.utf16.lexicographicallyPrecedes($1.utf16)
        },
        scanning("scan-folds-case", "Scans deliver keys without regard to case.") { $0.foldingASCII < $1.foldingASCII },
        Defect("range-end-included", "The end of a range of keys belongs to it.", killedBy: "TXT-013") {
            base, trigger in
            Interposition(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    var range = range
                    if case .excluded(let prefix) = range.upper {
                        range.upper = .included(prefix)
                        trigger.fire()
                    }
                    return try await snapshot.scan(range)
                }
            }
        },
        Defect("range-start-excluded", "The beginning of a range of keys is left out.", killedBy: "TXT-013") {
            base, trigger in
            Interposition(base) { hooks in
                hooks.scanning = { range, snapshot throws(StorageError) in
                    var range = range
                    if case .included(let prefix) = range.lower {
                        range.lower = .excluded(prefix)
                        trigger.fire()
                    }
                    return try await snapshot.scan(range)
                }
            }
        },
        unique("unique-folds-case", "A unique index ignores case.") { $0.foldingASCII == $1.foldingASCII },
        unique("unique-normalises", "A unique index compares normal forms.") { $0 == $1 },
        unique("unique-cuts", "A unique index looks at the first 255 bytes.") {
            $0.prefixOfBytes(255) == $1.prefixOfBytes(255)
        },
        Defect(
            "unique-ignored", "A unique index is not enforced.", killedBy: "TXT-014",
            schema: { entity in
                EntitySchema(
                    entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                    indexes: entity.indexes.map { IndexSchema($0.name, on: $0.fields) })
            }),
    ]

    private typealias Precedes = @Sendable (String, String) -> Bool?

    private static func sortingText(
        _ id: String, _ summary: String, killedBy clause: String, _ precedes: @escaping Precedes
    ) -> Defect {
        Defect(id, summary, killedBy: clause, sorting: { left, right, _ in order(left, right, precedes) })
    }

    private static func order(_ left: Value, _ right: Value, _ precedes: Precedes) -> Ordering? {
        guard case (.text(let left), .text(let right)) = (left, right) else { return nil }
        guard let isBefore = precedes(left, right), let isBehind = precedes(right, left) else { return nil }
        return isBefore ? .ascending : isBehind ? .descending : nil
    }

    private static func rangesOfText(
        _ id: String, _ summary: String, killedBy clause: String, _ precedes: @escaping Precedes
    ) -> Defect {
        Defect(id, summary, killedBy: clause) { part, row, _ in
            guard case .compare(let position, let comparison, let operand) = part,
                let ordering = order(row[position], operand, precedes)
            else { return nil }
            return switch comparison {
            case .less, .lessOrEqual: ordering == .ascending
            case .greater, .greaterOrEqual: ordering == .descending
            case .equal, .notEqual: nil
            }
        }
    }

    /// The rows behind a cursor by another order; sorted as they should be.
    private static func cursor(_ id: String, _ summary: String, _ precedes: @escaping Precedes) -> Defect {
        Defect(id, summary, killedBy: "TXT-012") { base, trigger in
            Interposition(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    guard case .text(let place)? = query.after?.first, let key = query.order.first else {
                        return try await snapshot.query(query)
                    }
                    let rows = try await snapshot.allRows(KeyRange(query.entity.name)).filter { row in
                        let isBehind = row.cells.withUnsafeBufferPointer(query.isBehindCursor)
                        guard case .text(let text) = row.cells[key.position], Value.text(text) != .text(place) else {
                            return isBehind
                        }
                        let answer = (key.isDescending ? precedes(text, place) : precedes(place, text)) ?? isBehind
                        if answer != isBehind { trigger.fire() }
                        return answer
                    }.sorted { left, right in
                        left.cells.withUnsafeBufferPointer { left in
                            right.cells.withUnsafeBufferPointer { query.compare(left, $0) == .ascending }
                        }
                    }
                    return RowsScan(
                        rows: rows.prefix(query.limit ?? .max).map(query.projected), columnCount: query.projection.count
                    )
                }
            }
        }
    }

    private static func scanning(
        _ id: String, _ summary: String, _ precedes: @escaping @Sendable (String, String) -> Bool
    ) -> Defect {
        Defect(
            id, summary, killedBy: "TXT-013",
            scanned: { rows, _ in
                rows.sorted { precedes($0.cells[0].sampleText, $1.cells[0].sampleText) }
            })
    }

    private static func unique(_ id: String, _ summary: String, _ equals: @escaping @Sendable (String, String) -> Bool)
        -> Defect
    {
        Defect(id, summary, killedBy: "TXT-014") { base, trigger in
            Interposition(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    guard case .put(let name, let rows, _)? = request.operations.first, rows.rowCount == 1,
                        case .text(let new) = rows[0, 1]
                    else { return try await base.commit(request) }
                    let snapshot = try await base.snapshot()
                    let stored = try await snapshot.allRows(KeyRange(name))
                    await snapshot.close()
                    for row in stored where row.cells[0] != rows[0, 0] {
                        guard case .text(let text) = row.cells[1], row.cells[1] != rows[0, 1], equals(text, new) else {
                            continue
                        }
                        trigger.fire()
                        throw StorageError.uniqueViolation(index: "byText", of: name, operation: 0)
                    }
                    return try await base.commit(request)
                }
            }
        }
    }

    // MARK: Matching

    static let textMatching: [Defect] = [
        equality("equality-folds-ascii", "Equality ignores the case of ASCII.") { $0.foldingASCII == $1.foldingASCII },
        equality("equality-folds-unicode", "Equality ignores case beyond ASCII only.") { left, right in
            left.utf8.contains { $0 > 127 } ? left.lowercased() == right.lowercased() : left == right
        },
        Defect("in-folds-case", "IN ignores case.", killedBy: "TXT-020") { part, row, _ in
            guard case .isIn(let position, let operands) = part, case .text(let text) = row[position] else {
                return nil
            }
            return operands.contains { $0.sampleText.foldingASCII == text.foldingASCII }
        },
        Defect("elements-fold-case", "Equality of list elements ignores case.", killedBy: "TXT-020") { part, row, _ in
            guard case .containsElement(let position, .text(let operand)) = part,
                case .list(let elements) = row[position]
            else { return nil }
            return elements.contains { !$0.isNull && $0.sampleText.foldingASCII == operand.foldingASCII }
        },
        needle("contains-folds-case", "`contains` ignores the case of ASCII.", killedBy: "TXT-020", in: [.contains]) {
            ($0.foldingASCII, $1.foldingASCII)
        },
        needle("begins-folds-case", "`beginsWith` ignores the case of ASCII.", killedBy: "TXT-020", in: [.begins]) {
            ($0.foldingASCII, $1.foldingASCII)
        },
        needle(
            "contains-folds-unicode", "`contains` ignores case in every alphabet.", killedBy: "TXT-020", in: [.contains]
        ) {
            ($0.lowercased(), $1.lowercased())
        },
        Defect("empty-needle-contained-nowhere", "No text contains the empty one.", killedBy: "TXT-021") { part, _, _ in
            if case .containsText(_, "") = part { false } else { nil }
        },
        Defect("nothing-begins-empty", "No text begins with the empty one.", killedBy: "TXT-021") { part, _, _ in
            if case .beginsWith(_, "") = part { false } else { nil }
        },
        Defect("empty-needle-is-no-condition", "`contains` of nothing selects null, too.", killedBy: "TXT-021") {
            part, _, _ in
            if case .containsText(_, "") = part { true } else { nil }
        },
        Defect("empty-beginning-is-no-condition", "`beginsWith` of nothing selects null, too.", killedBy: "TXT-021") {
            part, _, _ in
            if case .beginsWith(_, "") = part { true } else { nil }
        },
        Defect("empty-text-lacks-empty-needle", "The empty text does not contain itself.", killedBy: "TXT-021") {
            part, row, _ in
            guard case .containsText(let position, "") = part, row[position] == .text("") else { return nil }
            return false
        },
        wildcard("percent-in-contains", "`%` is a wildcard of `contains`.", in: .contains, "%", "*"),
        wildcard("underscore-in-contains", "`_` is a wildcard of `contains`.", in: .contains, "_", "?"),
        wildcard("percent-in-begins", "`%` is a wildcard of `beginsWith`.", in: .begins, "%", "*"),
        wildcard("underscore-in-begins", "`_` is a wildcard of `beginsWith`.", in: .begins, "_", "?"),
        wildcard("star-in-contains", "`*` is a wildcard of `contains`.", in: .contains, "*", "*"),
        wildcard("question-mark-in-contains", "`?` is a wildcard of `contains`.", in: .contains, "?", "?"),
        wildcard("point-in-contains", "`.` is a wildcard of `contains`.", in: .contains, ".", "?"),
        needle(
            "backslash-escapes-in-contains", "A backslash is dropped from a needle.", killedBy: "TXT-022",
            in: [.contains]
        ) {
            ($0, $1.mapScalars { $0 == "\\" ? nil : $0 })
        },
        needle(
            "backslash-escapes-in-begins", "A backslash is dropped from a beginning.", killedBy: "TXT-022",
            in: [.begins]
        ) {
            ($0, $1.mapScalars { $0 == "\\" ? nil : $0 })
        },
        needle(
            "quotes-doubled-in-needles", "Quotes of a needle are doubled.", killedBy: "TXT-022",
            in: [.contains, .begins]
        ) {
            ($0, $1.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))
        },
        Defect("injected-needle", "A needle with a quote ends the condition.", killedBy: "TXT-022") { part, _, _ in
            if case .containsText(_, "' OR '1'='1") = part { true } else { nil }
        },
        Defect("begins-by-characters", "`beginsWith` compares characters.", killedBy: "TXT-023") { part, row, _ in
            guard case .beginsWith(let position, let needle) = part, case .text(let text) = row[position] else {
                return nil
            }
            return text.hasPrefix(needle)
        },
        Defect("contains-by-characters", "`contains` compares characters.", killedBy: "TXT-023") { part, row, _ in
            guard case .containsText(let position, let needle) = part, case .text(let text) = row[position] else {
                return nil
            }
            return needle.isEmpty || text.contains(needle)
        },
        Defect("search-gives-up", "A search does not go back after a partial match.", killedBy: "TXT-024") {
            part, row, _ in
            guard case .containsText(let position, let needle) = part, case .text(let text) = row[position],
                !needle.isEmpty
            else { return nil }
            let wanted = Array(needle.utf8)
            var found = 0
            for byte in text.utf8 where found < wanted.count { found = byte == wanted[found] ? found + 1 : 0 }
            return found == wanted.count
        },
        searched("end-not-searched", "The last byte is not searched.", killedBy: "TXT-024") {
            String($0.unicodeScalars.dropLast())
        },
        searched("first-256-bytes-searched", "A search looks at 256 bytes.", killedBy: "TXT-024") {
            $0.prefixOfBytes(256)
        },
        searched("first-kilobyte-searched", "A search looks at the first kilobyte.", killedBy: "TXT-024") {
            $0.prefixOfBytes(1_024)
        },
        searched("first-64-kib-searched", "A search looks at the first 64 KiB.", killedBy: "TXT-024") {
            $0.prefixOfBytes(65_536)
        },
        needle("long-needle-cut", "A needle is cut at 1,000 bytes.", killedBy: "TXT-024", in: [.contains]) {
            ($0, $1.prefixOfBytes(1_000))
        },
        beginning("begins-below-u-ffff", "`beginsWith` ends at U+FFFF.") { text, needle in
            text.unicodeScalars.dropFirst(needle.unicodeScalars.count).first.map { $0.value < 0xFFFF } ?? true
        },
        beginning("begins-below-last-code-point", "`beginsWith` ends below U+10FFFF.") { text, needle in
            text.unicodeScalars.dropFirst(needle.unicodeScalars.count).first.map { $0.value < 0x10FFFF } ?? true
        },
        beginning("begins-excludes-itself", "The beginning itself is not found.") { text, needle in
            Value.text(text) != .text(needle)
        },
        Defect("begins-is-range-without-end", "`beginsWith` on an index has no upper end.", killedBy: "TXT-025") {
            part, row, query in
            guard case .beginsWith(let position, let needle) = part, !query.entity.indexes.isEmpty,
                query.entity.fields[position].name == "text"
            else { return nil }
            return ValueOrder.compare(row[position], .text(needle)) != .ascending
        },
        Defect("begins-on-keys-is-equality", "`beginsWith` on a key finds the key itself only.", killedBy: "TXT-025") {
            part, row, query in
            guard case .beginsWith(let position, let needle) = part, query.entity.primaryKeyPositions == [position]
            else { return nil }
            return row[position] == .text(needle)
        },
    ]

    private enum Search { case begins, contains }

    private static func equality(
        _ id: String, _ summary: String, _ equals: @escaping @Sendable (String, String) -> Bool
    ) -> Defect {
        Defect(id, summary, killedBy: "TXT-020") { part, row, _ in
            guard case .compare(let position, let comparison, .text(let operand)) = part,
                case .text(let text) = row[position],
                comparison == .equal || comparison == .notEqual
            else { return nil }
            return equals(text, operand) == (comparison == .equal)
        }
    }

    /// Text and needle are changed before they are compared.
    private static func needle(
        _ id: String, _ summary: String, killedBy clause: String, in searches: Set<Search>,
        _ change: @escaping @Sendable (String, String) -> (String, String)
    ) -> Defect {
        Defect(id, summary, killedBy: clause) { part, row, _ in
            switch part {
            case .containsText(let position, let needle) where searches.contains(.contains):
                guard case .text(let text) = row[position] else { return nil }
                let changed = change(text, needle)
                return BoundPredicate.containsText(position, changed.1).matches(
                    row.replacing(position, .text(changed.0)))
            case .beginsWith(let position, let needle) where searches.contains(.begins):
                guard case .text(let text) = row[position] else { return nil }
                let changed = change(text, needle)
                return BoundPredicate.beginsWith(position, changed.1).matches(row.replacing(position, .text(changed.0)))
            default: return nil
            }
        }
    }

    private static func searched(
        _ id: String, _ summary: String, killedBy clause: String, _ change: @escaping @Sendable (String) -> String
    ) -> Defect {
        needle(id, summary, killedBy: clause, in: [.contains]) { (change($0), $1) }
    }

    private static func beginning(
        _ id: String, _ summary: String, _ isFound: @escaping @Sendable (String, String) -> Bool
    ) -> Defect {
        Defect(id, summary, killedBy: "TXT-025") { part, row, _ in
            guard case .beginsWith(let position, let needle) = part, case .text(let text) = row[position],
                part.matches(row)
            else { return nil }
            return isFound(text, needle)
        }
    }

    /// One scalar of needles stands for any text (`*`) or any one scalar (`?`).
    private static func wildcard(
        _ id: String, _ summary: String, in search: Search, _ scalar: Unicode.Scalar, _ meaning: Unicode.Scalar
    ) -> Defect {
        Defect(id, summary, killedBy: "TXT-022") { part, row, _ in
            let (position, needle): (Int, String)
            switch part {
            case .containsText(let place, let text) where search == .contains: (position, needle) = (place, text)
            case .beginsWith(let place, let text) where search == .begins: (position, needle) = (place, text)
            default: return nil
            }
            guard case .text(let text) = row[position], needle.unicodeScalars.contains(scalar) else { return nil }
            let pattern = Array(needle.unicodeScalars)
            let scalars = Array(text.unicodeScalars)
            let starts = search == .begins ? 0...0 : 0...scalars.count
            return starts.contains { glob(pattern[...], scalars[$0...], scalar, meaning) }
        }
    }

    private static func glob(
        _ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>, _ scalar: Unicode.Scalar,
        _ meaning: Unicode.Scalar
    ) -> Bool {
        guard let first = pattern.first else { return true }
        if first == scalar && meaning == "*" {
            return (text.startIndex...text.endIndex).contains {
                glob(pattern.dropFirst(), text[$0...], scalar, meaning)
            }
        }
        guard let next = text.first, first == scalar || first == next else { return false }
        return glob(pattern.dropFirst(), text.dropFirst(), scalar, meaning)
    }

    // MARK: Keys

    static let textKeys: [Defect] = [
        joined("keys-joined-with-hash", "#"), joined("keys-joined-with-slash", "/"),
        joined("keys-joined-with-unit-separator", "\u{1F}"),
        joined("keys-joined-with-colon", ":"), joined("keys-joined-with-u-ffff", "\u{FFFF}"),
        Defect(
            "keys-concatenated", "Composite keys are their components without a separator.", killedBy: "TXT-030",
            rows: { rows, entity in
                guard entity.primaryKey.count == 2 else { return rows }
                return rows.map { row in
                    row.replacing(0, .text(row[0].sampleText + row[1].sampleText)).replacing(1, .text(""))
                }
            }),
        Defect(
            "empty-component-lost", "A record whose second key component is empty is not stored.", killedBy: "TXT-030",
            rows: { rows, entity in
                entity.primaryKey.count == 2 ? rows.filter { $0[1] != .text("") } : rows
            }),
        Defect(
            "composite-delete-takes-prefix", "A delete takes all records with the first component.",
            killedBy: "TXT-030",
            wrap: { base, trigger in
                Interposition(base) { hooks in
                    hooks.committing = { request, base throws(StorageError) in
                        guard case .delete(let name, let keys)? = request.operations.first, keys.count == 1,
                            keys[0].components.count == 2
                        else { return try await base.commit(request) }
                        let snapshot = try await base.snapshot()
                        let prefix = KeyRange.Bound.included([keys[0].components[0]])
                        let rows = try await snapshot.allRows(KeyRange(name, from: prefix, to: prefix))
                        await snapshot.close()
                        if rows.count > 1 { trigger.fire() }
                        var request = request
                        request.operations[0] = .delete(
                            entity: name, keys: rows.map { RecordKey(Array($0.cells.prefix(2))) })
                        return try await base.commit(request)
                    }
                }
            }),
        Defect(
            "composite-order-of-joined-keys", "Composite keys are ordered as joined texts.", killedBy: "TXT-031",
            scanned: { rows, range in
                rows.sorted {
                    Value.text($0.cells[0].sampleText + $0.cells[1].sampleText).isBefore(
                        .text($1.cells[0].sampleText + $1.cells[1].sampleText))
                }
            }),
        Defect(
            "composite-order-by-second", "Composite keys are ordered by their second component first.",
            killedBy: "TXT-031",
            scanned: { rows, range in
                rows.sorted { $0.cells[1].isBefore($1.cells[1]) }
            }),
        Defect(
            "prefix-range-of-joined-keys", "A range by the first component holds those that begin with it.",
            killedBy: "TXT-032",
            wrap: { base, trigger in
                Interposition(base) { hooks in
                    hooks.scanning = { range, snapshot throws(StorageError) in
                        guard case .included(let lower) = range.lower, case .included(let upper) = range.upper,
                            lower == upper,
                            lower.count == 1
                        else { return try await snapshot.scan(range) }
                        let rows = try await snapshot.allRows(KeyRange(range.entity)).filter {
                            BoundPredicate.beginsWith(0, lower[0].sampleText).matches($0.cells)
                        }
                        trigger.fire()
                        return RowsScan(rows: rows, columnCount: 3)
                    }
                }
            }),
        Defect(
            "prefix-range-loses-last", "A range by the first component ends before U+10FFFF.", killedBy: "TXT-032",
            scanned: { rows, range in
                guard case .included(let prefix) = range.upper, prefix.count == 1 else { return rows }
                return rows.filter { $0.cells[1] != .text("1\u{10FFFF}") }
            }),
        Defect(
            "excluded-prefix-included", "A range behind a component holds that component.", killedBy: "TXT-032",
            wrap: { base, trigger in
                Interposition(base) { hooks in
                    hooks.scanning = { range, snapshot throws(StorageError) in
                        var range = range
                        if case .excluded(let prefix) = range.lower, prefix.count == 1 {
                            range.lower = .included(prefix)
                            trigger.fire()
                        }
                        return try await snapshot.scan(range)
                    }
                }
            }),
        folded("keys-fold-case", "Keys are kept in lower case.") { $0.foldingASCII },
        folded("keys-trimmed", "Spaces at the end of keys are dropped.") {
            $0.unicodeScalars.last == " " ? String($0.unicodeScalars.dropLast()) : $0
        },
        folded("keys-cut", "Keys are cut at 200 bytes.") { $0.prefixOfBytes(200) },
        folded("numeric-keys", "Keys that are numbers are kept as such.") { Int($0).map { "\($0)" } ?? $0 },
        Defect(
            "delete-folds-case", "A delete takes keys that differ in case.", killedBy: "TXT-033",
            operation: { operation, _ in
                guard case .delete(let name, let keys) = operation else { return operation }
                return .delete(
                    entity: name,
                    keys: keys + keys.map { RecordKey($0.components.map { $0.changingText { $0.foldingASCII } }) })
            }),
    ]

    /// Components are joined with a separator and taken apart at its first occurrence.
    private static func joined(_ id: String, _ separator: Character) -> Defect {
        Defect(
            id, "Composite keys are joined with a separator that may occur in them.", killedBy: "TXT-030",
            rows: { rows, entity in
                guard entity.primaryKey.count == 2 else { return rows }
                return rows.map { row in
                    let key = row[0].sampleText + String(separator) + row[1].sampleText
                    let parts = key.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
                    return row.replacing(0, .text(String(parts[0]))).replacing(1, .text(String(parts[1])))
                }
            })
    }

    private static func folded(_ id: String, _ summary: String, _ change: @escaping @Sendable (String) -> String)
        -> Defect
    {
        Defect(
            id, summary, killedBy: "TXT-033",
            rows: { rows, _ in
                rows.map { $0.replacing(0, $0[0].changingText(change)) }
            })
    }
}

extension Value {
    /// Whether this value comes before another.
    func isBefore(_ other: Value) -> Bool { ValueOrder.compare(self, other) == .ascending }
}
