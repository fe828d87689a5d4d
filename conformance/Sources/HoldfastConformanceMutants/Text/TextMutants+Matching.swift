import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let textMatching: [Mutant] = [
        equality("equality-folds-ascii", "Equality ignores the case of ASCII.") { $0.foldingASCII == $1.foldingASCII },
        equality("equality-folds-unicode", "Equality ignores case beyond ASCII only.") { left, right in
            left.utf8.contains { $0 > 127 } ? left.lowercased() == right.lowercased() : left == right
        },
        Mutant("in-folds-case", "IN ignores case.", killedBy: "TXT-020") { part, row, _ in
            guard case .isIn(let position, let operands) = part, case .text(let text) = row[position] else {
                return nil
            }
            return operands.contains { $0.sampleText.foldingASCII == text.foldingASCII }
        },
        Mutant("elements-fold-case", "Equality of list elements ignores case.", killedBy: "TXT-020") { part, row, _ in
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
        Mutant("empty-needle-contained-nowhere", "No text contains the empty one.", killedBy: "TXT-021") { part, _, _ in
            if case .containsText(_, "") = part { false } else { nil }
        },
        Mutant("nothing-begins-empty", "No text begins with the empty one.", killedBy: "TXT-021") { part, _, _ in
            if case .beginsWith(_, "") = part { false } else { nil }
        },
        Mutant("empty-needle-is-no-condition", "`contains` of nothing selects null, too.", killedBy: "TXT-021") {
            part, _, _ in
            if case .containsText(_, "") = part { true } else { nil }
        },
        Mutant("empty-beginning-is-no-condition", "`beginsWith` of nothing selects null, too.", killedBy: "TXT-021") {
            part, _, _ in
            if case .beginsWith(_, "") = part { true } else { nil }
        },
        Mutant("empty-text-lacks-empty-needle", "The empty text does not contain itself.", killedBy: "TXT-021") {
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
        Mutant("injected-needle", "A needle with a quote ends the condition.", killedBy: "TXT-022") { part, _, _ in
            if case .containsText(_, "' OR '1'='1") = part { true } else { nil }
        },
        Mutant("begins-by-characters", "`beginsWith` compares characters.", killedBy: "TXT-023") { part, row, _ in
            guard case .beginsWith(let position, let needle) = part, case .text(let text) = row[position] else {
                return nil
            }
            return text.hasPrefix(needle)
        },
        Mutant("contains-by-characters", "`contains` compares characters.", killedBy: "TXT-023") { part, row, _ in
            guard case .containsText(let position, let needle) = part, case .text(let text) = row[position] else {
                return nil
            }
            return needle.isEmpty || text.contains(needle)
        },
        Mutant("search-gives-up", "A search does not go back after a partial match.", killedBy: "TXT-024") {
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
        Mutant("begins-is-range-without-end", "`beginsWith` on an index has no upper end.", killedBy: "TXT-025") {
            part, row, query in
            guard case .beginsWith(let position, let needle) = part, !query.entity.indexes.isEmpty,
                query.entity.fields[position].name == "text"
            else { return nil }
            return ValueOrder.compare(row[position], .text(needle)) != .ascending
        },
        Mutant("begins-on-keys-is-equality", "`beginsWith` on a key finds the key itself only.", killedBy: "TXT-025") {
            part, row, query in
            guard case .beginsWith(let position, let needle) = part, query.entity.primaryKeyPositions == [position]
            else { return nil }
            return row[position] == .text(needle)
        },
    ]

    private enum Search { case begins, contains }

    private static func equality(
        _ id: String, _ summary: String, _ equals: @escaping @Sendable (String, String) -> Bool
    ) -> Mutant {
        Mutant(id, summary, killedBy: "TXT-020") { part, row, _ in
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
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { part, row, _ in
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
    ) -> Mutant {
        needle(id, summary, killedBy: clause, in: [.contains]) { (change($0), $1) }
    }

    private static func beginning(
        _ id: String, _ summary: String, _ isFound: @escaping @Sendable (String, String) -> Bool
    ) -> Mutant {
        Mutant(id, summary, killedBy: "TXT-025") { part, row, _ in
            guard case .beginsWith(let position, let needle) = part, case .text(let text) = row[position],
                part.matches(row)
            else { return nil }
            return isFound(text, needle)
        }
    }

    /// One scalar of needles stands for any text (`*`) or any one scalar (`?`).
    private static func wildcard(
        _ id: String, _ summary: String, in search: Search, _ scalar: Unicode.Scalar, _ meaning: Unicode.Scalar
    ) -> Mutant {
        Mutant(id, summary, killedBy: "TXT-022") { part, row, _ in
            let (position, needle): (Int, String)
            switch part {
            case .containsText(let column, let text) where search == .contains: (position, needle) = (column, text)
            case .beginsWith(let column, let text) where search == .begins: (position, needle) = (column, text)
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
}
