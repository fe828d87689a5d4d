import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let textOrder: [Mutant] = [
        sortingText("sort-by-utf-16", "Text is sorted by UTF-16 code units.", killedBy: "TXT-010") { left, right in
            left.utf16.lexicographicallyPrecedes(right.utf16)
        },
        sortingText("sort-folds-case", "Text is sorted without regard to case.", killedBy: "TXT-010") { left, right in
            (left.foldingASCII, left) < (right.foldingASCII, right)
        },
        sortingText("sort-normalizes", "Text is sorted by its normal form.", killedBy: "TXT-010") { $0 < $1 },
        sortingText("sort-by-signed-bytes", "Bytes are sorted as signed numbers.", killedBy: "TXT-010") { left, right in
            left.utf8.lexicographicallyPrecedes(right.utf8) { Int8(bitPattern: $0) < Int8(bitPattern: $1) }
        },
        sortingText("sort-ignores-punctuation", "The sort skips hyphens and spaces.", killedBy: "TXT-010") {
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
        Mutant(
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
        rangesOfText("range-normalizes", "Ranges compare normal forms.", killedBy: "TXT-011") { $0 < $1 },
        Mutant("between-folds-case", "Only `between` ignores case.", killedBy: "TXT-011") { part, row, _ in
            guard case .between(let position, .text(let lower), .text(let upper)) = part,
                case .text(let text) = row[position]
            else { return nil }
            return lower.foldingASCII <= text.foldingASCII && text.foldingASCII <= upper.foldingASCII
        },
        cursor("cursor-by-utf-16", "The cursor compares UTF-16 code units.") { left, right in
            left.utf16.lexicographicallyPrecedes(right.utf16)
        },
        cursor("cursor-folds-case", "The cursor ignores case.") { $0.foldingASCII < $1.foldingASCII },
        cursor("cursor-normalizes", "The cursor compares normal forms.") { $0 < $1 },
        Mutant(
            "cursor-by-utf-16-in-indexes", "The cursor compares UTF-16 where there is an index.", killedBy: "TXT-012",
            results: { rows, query in
                guard let after = query.after, !query.entity.indexes.isEmpty, case .text(let cursor) = after[0] else {
                    return rows
                }
                let position = query.order[0].position
                return rows.filter { row in
                    guard case .text(let text) = row.cells[position],
                        text.unicodeScalars.first.map({ $0.value > 0xFFFF }) ?? false
                    else { return true }
                    return !text.utf16.lexicographicallyPrecedes(cursor.utf16) || query.order[0].isDescending
                }
            }),
        scanning("scan-by-utf-16", "Scans deliver keys in the order of UTF-16 code units.") {
            $0.utf16.lexicographicallyPrecedes($1.utf16)
        },
        scanning("scan-folds-case", "Scans deliver keys without regard to case.") { $0.foldingASCII < $1.foldingASCII },
        Mutant("range-end-included", "The end of a range of keys belongs to it.", killedBy: "TXT-013") {
            base, trigger in
            HookedAdapter(base) { hooks in
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
        Mutant("range-start-excluded", "The beginning of a range of keys is left out.", killedBy: "TXT-013") {
            base, trigger in
            HookedAdapter(base) { hooks in
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
        unique("unique-normalizes", "A unique index compares normal forms.") { $0 == $1 },
        unique("unique-cuts", "A unique index looks at the first 255 bytes.") {
            $0.prefixOfBytes(255) == $1.prefixOfBytes(255)
        },
        Mutant(
            "unique-text-ignored", "A unique index is not enforced.", killedBy: "TXT-014",
            schema: { entity in
                EntitySchema(
                    entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                    indexes: entity.indexes.map { IndexSchema($0.name, on: $0.fields) })
            }),
    ]

    private typealias Precedes = @Sendable (String, String) -> Bool?

    private static func sortingText(
        _ id: String, _ summary: String, killedBy clause: String, _ precedes: @escaping Precedes
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause, sorting: { left, right, _ in order(left, right, precedes) })
    }

    private static func order(_ left: Value, _ right: Value, _ precedes: Precedes) -> Ordering? {
        guard case (.text(let left), .text(let right)) = (left, right) else { return nil }
        guard let isBefore = precedes(left, right), let isAfter = precedes(right, left) else { return nil }
        return isBefore ? .ascending : isAfter ? .descending : nil
    }

    private static func rangesOfText(
        _ id: String, _ summary: String, killedBy clause: String, _ precedes: @escaping Precedes
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { part, row, _ in
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

    /// The rows after a cursor by another order; sorted as they should be.
    private static func cursor(_ id: String, _ summary: String, _ precedes: @escaping Precedes) -> Mutant {
        Mutant(id, summary, killedBy: "TXT-012") { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.querying = { query, snapshot throws(StorageError) in
                    guard case .text(let cursor)? = query.after?.first, let key = query.order.first else {
                        return try await snapshot.query(query)
                    }
                    let rows = try await snapshot.allRows(KeyRange(query.entity.name)).filter { row in
                        let isAfter = row.cells.withUnsafeBufferPointer(query.isAfterCursor)
                        guard case .text(let text) = row.cells[key.position], Value.text(text) != .text(cursor) else {
                            return isAfter
                        }
                        let answer = (key.isDescending ? precedes(text, cursor) : precedes(cursor, text)) ?? isAfter
                        if answer != isAfter { trigger.fire() }
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
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: "TXT-013",
            scanned: { rows, _ in
                rows.sorted { precedes($0.cells[0].sampleText, $1.cells[0].sampleText) }
            })
    }

    private static func unique(_ id: String, _ summary: String, _ equals: @escaping @Sendable (String, String) -> Bool)
        -> Mutant
    {
        Mutant(id, summary, killedBy: "TXT-014") { base, trigger in
            HookedAdapter(base) { hooks in
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
}
