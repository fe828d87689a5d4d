import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `TXT` must find.
    static let text: [Mutant] = textStorage + textOrder + textMatching + textKeys + longIndexedText

    private static func texts(
        _ id: String, _ summary: String, killedBy clause: String, written change: @escaping @Sendable (String) -> String
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause, written: { $0.changingText(change) })
    }

    // MARK: Storage

    private static let textStorage: [Mutant] = [
        texts("normalized-on-write", "é is composed when it is stored.", killedBy: "TXT-001") { text in
            guard text.unicodeScalars.contains("\u{301}") else { return text }
            return text.mapScalars { $0 == "\u{301}" ? nil : $0 } + "\u{E9}"
        },
        texts("singletons-normalized", "The Ångström sign becomes the letter Å.", killedBy: "TXT-001") { text in
            text.mapScalars { $0 == "\u{212B}" ? "\u{C5}" : $0 }
        },
        texts("compatibility-normalized", "A full-width A becomes an A.", killedBy: "TXT-001") { text in
            text.mapScalars { $0 == "\u{FF21}" ? "A" : $0 }
        },
        Mutant("equality-normalizes", "Equality treats normal forms as equal.", killedBy: "TXT-001") { part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position]
            else { return nil }
            return text == operand
        },
        Mutant("in-normalizes", "IN treats normal forms as equal.", killedBy: "TXT-001") { part, row, _ in
            guard case .isIn(let position, let operands) = part, case .text(let text) = row[position] else {
                return nil
            }
            return operands.contains { if case .text(let operand) = $0 { operand == text } else { false } }
        },
        Mutant("elements-normalized", "Equality of list elements normalizes.", killedBy: "TXT-001") { part, row, _ in
            guard case .containsElement(let position, .text(let operand)) = part,
                case .list(let elements) = row[position]
            else { return nil }
            return elements.contains { if case .text(let text) = $0 { text == operand } else { false } }
        },
        texts("mark-stripped", "A byte order mark at the beginning is dropped.", killedBy: "TXT-002") { text in
            text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        },
        texts("controls-dropped", "Control characters are dropped.", killedBy: "TXT-002") { text in
            text.mapScalars { $0.value < 9 ? nil : $0 }
        },
        texts("delete-dropped", "U+007F is dropped.", killedBy: "TXT-002") { text in
            text.mapScalars { $0 == "\u{7F}" ? nil : $0 }
        },
        texts("separators-become-breaks", "U+2028 becomes a line feed.", killedBy: "TXT-002") { text in
            text.mapScalars { $0 == "\u{2028}" ? "\n" : $0 }
        },
        texts("non-characters-replaced", "Code points that are not characters become U+FFFD.", killedBy: "TXT-002") {
            text in
            text.mapScalars { $0.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : $0 }
        },
        texts("private-use-replaced", "Code points of private use become U+FFFD.", killedBy: "TXT-002") { text in
            text.mapScalars { (0xE000...0xF8FF).contains($0.value) ? "\u{FFFD}" : $0 }
        },
        texts("beyond-basic-plane-lost", "Characters of four bytes become question marks.", killedBy: "TXT-002") {
            text in
            text.mapScalars { $0.value > 0xFFFF ? "?" : $0 }
        },
        texts("soft-hyphens-dropped", "Soft hyphens are dropped.", killedBy: "TXT-002") { text in
            text.mapScalars { $0 == "\u{AD}" ? nil : $0 }
        },
        texts("quotes-doubled", "Quotes come back doubled.", killedBy: "TXT-002") { text in
            text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        },
        texts("escapes-undone", "A backslash and n become a line feed.", killedBy: "TXT-002") { text in
            text == "\\n" ? "\n" : text
        },
        texts("entities-undone", "`&amp;` becomes `&`.", killedBy: "TXT-002") { $0 == "&amp;" ? "&" : $0 },
        Mutant(
            "null-word-is-null", "The text NULL is stored as null.", killedBy: "TXT-002",
            rows: { rows, entity in
                rows.map { row in
                    zip(row, entity.fields).map { $0 == .text("NULL") && !$1.isRequired ? .null : $0 }
                }
            }),
        Mutant(
            "elements-lose-marks", "Byte order marks are dropped in list elements only.", killedBy: "TXT-002",
            written: { value in
                guard case .list = value else { return value }
                return value.changingText { $0.mapScalars { $0 == "\u{FEFF}" ? nil : $0 } }
            }),
        Mutant(
            "keys-lose-joiners", "Zero-width joiners are dropped in keys only.", killedBy: "TXT-002",
            rows: { rows, entity in
                rows.map { row in
                    row.enumerated().map { position, cell in
                        guard entity.primaryKeyPositions.contains(position) else { return cell }
                        return cell.changingText { $0.mapScalars { $0 == "\u{200D}" ? nil : $0 } }
                    }
                }
            }),
        equalRewriteSkipped("equal-rewrite-skipped", "equal in Swift", killedBy: "TXT-003") { $0 == $1 },
        equalRewriteSkipped("case-rewrite-skipped", "equal except for case", killedBy: "TXT-003") {
            $0.lowercased() == $1.lowercased()
        },
        equalRewriteSkipped("empty-rewrite-skipped", "empty", killedBy: "TXT-003") { _, new in new.isEmpty },
        texts("trailing-space-trimmed", "A space at the end is dropped.", killedBy: "TXT-004") { text in
            text.unicodeScalars.last == " " ? String(text.unicodeScalars.dropLast()) : text
        },
        texts("leading-space-trimmed", "A space at the beginning is dropped.", killedBy: "TXT-004") { text in
            text.unicodeScalars.first == " " ? String(text.unicodeScalars.dropFirst()) : text
        },
        texts("line-ends-unified", "CRLF becomes LF.", killedBy: "TXT-004") { text in
            text.unicodeScalars.contains("\n") ? text.mapScalars { $0 == "\r" ? nil : $0 } : text
        },
        texts("zero-width-dropped", "Zero-width spaces are dropped.", killedBy: "TXT-004") { text in
            text.mapScalars { $0 == "\u{200B}" ? nil : $0 }
        },
        Mutant("padded-equality", "Equality ignores spaces at the end.", killedBy: "TXT-004") { part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position]
            else { return nil }
            return text.withoutSpaces == operand.withoutSpaces
        },
        Mutant("padded-in", "IN ignores spaces at the end.", killedBy: "TXT-004") { part, row, _ in
            guard case .isIn(let position, let operands) = part, case .text(let text) = row[position] else {
                return nil
            }
            return operands.contains { $0.sampleText.withoutSpaces == text.withoutSpaces && !$0.isNull }
        },
        Mutant(
            "empty-read-as-null", "The empty text is read as null.", killedBy: "TXT-005",
            read: { $0 == .text("") ? .null : $0 }),
        Mutant(
            "empty-written-as-null", "The empty text of a field is stored as null.", killedBy: "TXT-005",
            rows: { rows, entity in
                rows.map { row in zip(row, entity.fields).map { $0 == .text("") && !$1.isRequired ? .null : $0 } }
            }),
        Mutant(
            "null-written-as-empty", "Null of a text field is stored as the empty text.", killedBy: "TXT-005",
            rows: { rows, entity in
                rows.map { row in zip(row, entity.fields).map { $0.isNull && $1.type == .string ? .text("") : $0 } }
            }),
        Mutant("empty-equals-null", "A condition on the empty text selects null.", killedBy: "TXT-005") {
            part, row, _ in
            guard case .compare(let position, .equal, .text("")) = part, row[position].isNull else { return nil }
            return true
        },
        Mutant("null-equals-empty", "A condition on null selects the empty text.", killedBy: "TXT-005") {
            part, row, _ in
            guard case .isIn(let position, let operands) = part, row[position] == .text("") else { return nil }
            return operands.contains(.null) || operands.contains(.text(""))
        },
        Mutant(
            "empty-key-lost", "A record with an empty key is not stored.", killedBy: "TXT-005",
            rows: { rows, _ in rows.filter { $0[0] != .text("") } }),
        Mutant(
            "empty-key-not-scanned", "Scans skip the empty key.", killedBy: "TXT-005",
            scanned: { rows, _ in
                rows.filter { $0.cells[0] != .text("") }
            }),
        cut("cut-at-255-bytes", 255), cut("cut-at-1-kib", 1_024), cut("cut-at-4000", 4_000), cut("cut-at-8-kib", 8_192),
        cut("cut-at-64-kib", 65_535), cut("cut-at-64-kib-and-one", 65_536),
        texts("cut-at-255-characters", "Texts are cut at 255 characters.", killedBy: "TXT-006") { text in
            text.unicodeScalars.count > 255 ? String(text.unicodeScalars.prefix(255)) : text
        },
        texts(
            "length-of-256-empty", "A text whose length is a multiple of 256 bytes comes back empty.",
            killedBy: "TXT-006"
        ) {
            $0.utf8.count % 256 == 0 ? "" : $0
        },
        Mutant("equality-of-beginnings", "Equality looks at the first 255 bytes.", killedBy: "TXT-006") {
            part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position]
            else { return nil }
            return operand.utf8.count > 255 && text.utf8.count == operand.utf8.count
                ? text.prefixOfBytes(255) == operand.prefixOfBytes(255) : nil
        },
        Mutant("needle-beyond-64-kib-missed", "A search looks at the first 65,535 bytes.", killedBy: "TXT-006") {
            part, row, _ in
            guard case .containsText = part, let position = part.position, case .text(let text) = row[position] else {
                return nil
            }
            return part.matches(row.replacing(position, .text(text.prefixOfBytes(65_535))))
        },
    ]

    private static func cut(_ id: String, _ count: Int) -> Mutant {
        texts(id, "Texts are cut at \(count) bytes.", killedBy: "TXT-006") { $0.prefixOfBytes(count) }
    }

    /// A text field of an existing record is left alone if the new text seems equal to the old one.
    private static func equalRewriteSkipped(
        _ id: String, _ how: String, killedBy clause: String, isSkipped: @escaping @Sendable (String, String) -> Bool
    ) -> Mutant {
        Mutant(id, "A record is not replaced if the new text is \(how).", killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    guard case .put(let entity, var rows, let mode)? = request.operations.first, rows.rowCount == 1,
                        case .text(let new) = rows[0, 1]
                    else { return try await base.commit(request) }
                    var old = RowBuffer()
                    try await base.get(GetRequest(entity, keys: [RecordKey([rows[0, 0]])]), into: &old)
                    if case .text(let text) = old[0, 1], isSkipped(text, new), old[0, 1] != rows[0, 1] {
                        trigger.fire()
                        rows.set(old[0, 1], row: 0, column: 1)
                    }
                    var request = request
                    request.operations[0] = .put(entity: entity, rows: rows, mode: mode)
                    return try await base.commit(request)
                }
            }
        }
    }
}

extension String {
    /// The text without spaces at its end.
    fileprivate var withoutSpaces: String {
        var scalars = unicodeScalars
        while scalars.last == " " { scalars.removeLast() }
        return String(scalars)
    }
}

extension BoundPredicate {
    /// The position of the field that a condition is about.
    var position: Int? {
        switch self {
        case .compare(let position, _, _), .between(let position, _, _), .isIn(let position, _),
            .beginsWith(let position, _), .containsText(let position, _), .containsElement(let position, _):
            position
        case .constant, .not, .and, .or: nil
        }
    }
}
