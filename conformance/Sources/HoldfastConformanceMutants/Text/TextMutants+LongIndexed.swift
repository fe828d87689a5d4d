import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants of long texts in indexes.
    static let longIndexedText: [Mutant] = [
        Mutant(
            "index-cuts-texts", "An index finds texts by their first 1,024 bytes.", killedBy: "TXT-034",
            matching: { predicate, row, query in
                guard case .compare(let position, .equal, .text(let text)) = predicate, text.utf8.count > 1_024,
                    case .text(let cell) = row[position]
                else { return nil }
                return cell.prefixOfBytes(1_024) == text.prefixOfBytes(1_024)
            }),
        Mutant(
            "index-sorts-cut-texts", "An index is ordered by the first 4,096 bytes of texts.", killedBy: "TXT-034",
            sorting: { left, right, _ in
                guard case .text(let left) = left, case .text(let right) = right,
                    left.utf8.count > 4_096 || right.utf8.count > 4_096
                else { return nil }
                return ValueOrder.compareText(left.prefixOfBytes(4_096), right.prefixOfBytes(4_096))
            }),
    ]
}
