import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let listConditions: [Mutant] = [
        contains("contains-finds-parts", "A part of an element is found.") { elements, needle in
            elements.contains { BoundPredicate.containsText(0, needle).matches([$0]) }
        },
        contains("contains-finds-beginnings", "The beginning of an element is found.") { elements, needle in
            elements.contains { BoundPredicate.beginsWith(0, needle).matches([$0]) }
        },
        contains("contains-finds-joins", "Two elements together are found.") { elements, needle in
            let all = elements.map(\.sampleText).joined(separator: ",")
            return elements.contains(.text(needle)) || needle == all || all.hasPrefix(needle + ",")
        },
        contains("contains-searches-text", "The list's JSON text is searched.") { elements, needle in
            let text = "[" + elements.map { $0.isNull ? "null" : "\"\($0.sampleText)\"" }.joined(separator: ",") + "]"
            return BoundPredicate.containsText(0, "\"\(needle)\"").matches([.text(text)])
        },
        contains("contains-finds-word-null", "The text null finds a null element.") { elements, needle in
            elements.contains(.text(needle)) || needle == "null" && elements.contains(.null)
        },
        contains("contains-ignores-case", "`contains` ignores case.") { elements, needle in
            elements.contains { !$0.isNull && $0.sampleText.foldingASCII == needle.foldingASCII }
        },
        contains("contains-finds-first-only", "The first element is searched only.") { elements, needle in
            elements.first == .text(needle)
        },
        contains("contains-not-last", "The last of several elements is not searched.") { elements, needle in
            (elements.count > 1 ? elements.dropLast() : elements[...]).contains(.text(needle))
        },
        contains("contains-undoes-escapes", "Escapes of a needle are undone.") { elements, needle in
            elements.contains(
                .text(needle == "\\u00e9" ? "\u{E9}" : needle == "\\n" ? "\n" : needle == "\\/" ? "/" : needle))
        },
        Mutant("contains-null-finds-nothing", "A list does not contain null.", killedBy: "LST-003") { part, _, _ in
            if case .containsElement(_, .null) = part { false } else { nil }
        },
        Mutant("contains-null-finds-null-lists", "A list that is null contains null.", killedBy: "LST-003") {
            part, row, _ in
            guard case .containsElement(let position, .null) = part, row[position].isNull else { return nil }
            return true
        },
        Mutant("contains-null-finds-empty-lists", "The empty list contains null.", killedBy: "LST-003") {
            part, row, _ in
            guard case .containsElement(let position, .null) = part, row[position] == .list([]) else { return nil }
            return true
        },
        Mutant(
            "not-contains-skips-null-lists", "The negation of `contains` skips lists that are null.",
            killedBy: "LST-003"
        ) { part, row, _ in
            guard case .not(.containsElement(let position, _)) = part, row[position].isNull else { return nil }
            return false
        },
        Mutant(
            "not-contains-skips-empty-lists", "The negation of `contains` skips empty lists.", killedBy: "LST-003"
        ) { part, row, _ in
            guard case .not(.containsElement(let position, _)) = part, row[position] == .list([]) else { return nil }
            return false
        },
        equality("lists-equal-as-sets", "Lists are compared as sets.") { Set($0) == Set($1) },
        equality("lists-equal-in-any-order", "Lists are compared in any order.") {
            $0.sorted { $0.isBefore($1) } == $1.sorted { $0.isBefore($1) }
        },
        equality("lists-equal-to-beginnings", "Lists are equal as far as the shorter one goes.") { left, right in
            !left.isEmpty && !right.isEmpty && zip(left, right).allSatisfy { $0 == $1 }
        },
        equality("lists-equal-when-joined", "Lists are compared joined.") { left, right in
            left.map(\.sampleText).joined(separator: ",") == right.map(\.sampleText).joined(separator: ",")
                && left.isEmpty == right.isEmpty
        },
        equality("lists-equal-without-case", "Lists are compared without case.") { left, right in
            left.map { $0.changingText(\.foldingASCII) } == right.map { $0.changingText(\.foldingASCII) }
        },
        equality("lists-equal-by-first", "Lists of the same length and first element are equal.") { left, right in
            left.count == right.count && left.first == right.first
        },
        Mutant("list-in-by-length", "IN compares lists by their length.", killedBy: "LST-004") { part, row, _ in
            guard case .isIn(let position, let operands) = part, case .list(let elements) = row[position] else {
                return nil
            }
            return operands.contains {
                if case .list(let operand) = $0 { operand.count == elements.count } else { false }
            }
        },
        Mutant("long-lists-half-searched", "`contains` looks at the first 1,000 elements.", killedBy: "LST-006") {
            part, row, _ in
            guard case .containsElement(let position, _) = part, case .list(let elements) = row[position] else {
                return nil
            }
            return part.matches(row.replacing(position, .list(Array(elements.prefix(1_000)))))
        },
    ]

    private static func contains(
        _ id: String, _ summary: String, _ isFound: @escaping @Sendable ([Value], String) -> Bool
    ) -> Mutant {
        Mutant(id, summary, killedBy: "LST-003") { part, row, _ in
            guard case .containsElement(let position, .text(let needle)) = part,
                case .list(let elements) = row[position]
            else { return nil }
            return isFound(elements, needle)
        }
    }

    private static func equality(
        _ id: String, _ summary: String, _ equals: @escaping @Sendable ([Value], [Value]) -> Bool
    ) -> Mutant {
        Mutant(id, summary, killedBy: "LST-004") { part, row, _ in
            guard case .compare(let position, let comparison, .list(let operand)) = part,
                case .list(let elements) = row[position]
            else { return nil }
            return equals(elements, operand) == (comparison == .equal)
        }
    }
}
