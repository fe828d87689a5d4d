import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `NUM` must find.
    static let numbers: [Mutant] = [
        integers("integers-through-double", "Integers go through doubles.", killedBy: "NUM-001") {
            Int64(exactly: Double($0)) ?? ($0 < 0 ? .min : .max)
        },
        integers("smallest-read-as-largest", "Int64.min becomes Int64.max.", killedBy: "NUM-001") {
            $0 == .min ? .max : $0
        },
        integers("integers-of-32-bits", "Integers are kept in 32 bits.", killedBy: "NUM-001") {
            Int64(Int32(truncatingIfNeeded: $0))
        },
        integers("sign-lost", "Small negative integers lose their sign.", killedBy: "NUM-001") {
            (-128..<0).contains($0) ? -$0 : $0
        },
        integers("byte-wraps", "255 becomes −1.", killedBy: "NUM-001") { $0 == 255 ? -1 : $0 },
        integers("largest-saturates", "Int64.max becomes Int64.max − 1.", killedBy: "NUM-001") {
            $0 == .max ? .max - 1 : $0
        },
        Mutant(
            "list-integers-through-double", "Integers in lists go through doubles.", killedBy: "NUM-001",
            written: { value in
                guard case .list = value else { return value }
                return value.changingScalars {
                    if case .integer(let integer) = $0 { .integer(Int64(exactly: Double(integer)) ?? .max) } else { $0 }
                }
            }),
        Mutant(
            "key-integers-through-double", "Integers in keys go through doubles.", killedBy: "NUM-001",
            rows: { rows, entity in
                rows.map { row in
                    guard case .integer(let integer) = row[0] else { return row }
                    return row.replacing(0, .integer(Int64(exactly: Double(integer)) ?? (integer < 0 ? .min : .max)))
                }
            }),
        comparing("integers-compared-as-doubles", "Integers are compared as doubles.", killedBy: "NUM-002") {
            left, right in
            guard case (.integer(let left), .integer(let right)) = (left, right) else { return nil }
            return Ordering(Double(left), Double(right))
        },
        comparing("integers-compared-as-text", "Integers are compared by their digits.", killedBy: "NUM-002") {
            left, right in
            guard case (.integer(let left), .integer(let right)) = (left, right) else { return nil }
            return Ordering("\(left)", "\(right)")
        },
        comparing(
            "integers-compared-by-difference", "Integers are compared by a difference that overflows.",
            killedBy: "NUM-002"
        ) { left, right in
            guard case (.integer(let left), .integer(let right)) = (left, right) else { return nil }
            return Ordering(left &- right, 0)
        },
        Mutant("largest-exclusive", "At most Int64.max leaves out Int64.max.", killedBy: "NUM-002") { part, row, _ in
            guard case .compare(let position, .lessOrEqual, .integer(.max)) = part, row[position] == .integer(.max)
            else { return nil }
            return false
        },
        Mutant("in-compares-doubles", "IN compares integers as doubles.", killedBy: "NUM-002") { part, row, _ in
            guard case .isIn(let position, let operands) = part, case .integer(let integer) = row[position] else {
                return nil
            }
            return operands.contains {
                if case .integer(let operand) = $0 { Double(operand) == Double(integer) } else { false }
            }
        },
        Mutant("elements-compared-as-doubles", "`contains` compares integers as doubles.", killedBy: "NUM-002") {
            part, row, _ in
            guard case .containsElement(let position, .integer(let operand)) = part,
                case .list(let elements) = row[position]
            else { return nil }
            return elements.contains {
                if case .integer(let integer) = $0 { Double(operand) == Double(integer) } else { false }
            }
        },
        Mutant(
            "negative-keys-last", "Scans deliver negative keys last.", killedBy: "NUM-003",
            scanned: { rows, _ in
                let isNegative: (StoredRow) -> Bool = { $0.cells[0].isBefore(.integer(0)) && !$0.cells[0].isNull }
                return rows.filter { !isNegative($0) } + rows.filter(isNegative)
            }),
        Mutant(
            "double-keys-by-bits", "Negative doubles lie in reverse order.", killedBy: "NUM-003",
            scanned: { rows, _ in
                let negative = rows.filter { if case .double(let double) = $0.cells[0] { double < 0 } else { false } }
                return negative.reversed() + rows.filter { !negative.contains($0) }
            }),
        Mutant("integers-sorted-as-text", "Integers are sorted by their digits.", killedBy: "NUM-003") {
            left, right, _ in
            guard case (.integer(let left), .integer(let right)) = (left, right) else { return nil }
            return Ordering("\(left)", "\(right)")
        },
        Mutant("doubles-sorted-as-text", "Doubles are sorted by their digits.", killedBy: "NUM-003") { left, right, _ in
            guard case (.double(let left), .double(let right)) = (left, right) else { return nil }
            return Ordering("\(left)", "\(right)")
        },
        Mutant("doubles-sorted-as-integers", "Doubles are sorted by their whole part.", killedBy: "NUM-003") {
            left, right, _ in
            guard case (.double(let left), .double(let right)) = (left, right), abs(left) < 1e9, abs(right) < 1e9 else {
                return nil
            }
            return Ordering(Int64(left), Int64(right))
        },
        Mutant("integers-sorted-as-doubles", "Integers are sorted as doubles.", killedBy: "NUM-003") { left, right, _ in
            guard case (.integer(let left), .integer(let right)) = (left, right) else { return nil }
            return Ordering(Double(left), Double(right))
        },
        doubles("doubles-of-32-bits", "Doubles are kept in 32 bits.", killedBy: "NUM-004") {
            Float($0).isFinite ? Double(Float($0)) : $0
        },
        doubles("smallest-doubles-flushed", "Subnormal doubles become zero.", killedBy: "NUM-004") {
            $0.isSubnormal ? 0 : $0
        },
        doubles("last-bit-lost", "The last bit of doubles is lost.", killedBy: "NUM-004") {
            $0 == $0.rounded() ? $0 : Double(bitPattern: $0.bitPattern & ~1)
        },
        doubles("fifteen-digits", "Doubles are kept with 15 digits.", killedBy: "NUM-004") { double in
            guard abs(double) > 1e-3, abs(double) < 1 else { return double }
            return (double * 1e15).rounded() / 1e15
        },
        doubles("largest-double-lost", "The largest double becomes another.", killedBy: "NUM-004") {
            abs($0) == .greatestFiniteMagnitude ? $0.nextDown : $0
        },
        Mutant(
            "list-doubles-of-32-bits", "Doubles in lists are kept in 32 bits.", killedBy: "NUM-004",
            written: { value in
                guard case .list = value else { return value }
                return value.changingScalars {
                    if case .double(let double) = $0, Float(double).isFinite {
                        .double(Double(Float(double)))
                    } else {
                        $0
                    }
                }
            }),
        Mutant(
            "whole-doubles-read-as-integers", "1.0 is read as 1.", killedBy: "NUM-005",
            read: { value in
                if case .double(let double) = value, let integer = Int64(exactly: double) {
                    .integer(integer)
                } else {
                    value
                }
            }),
        Mutant(
            "whole-list-doubles-read-as-integers", "1.0 in a list is read as 1.", killedBy: "NUM-005",
            read: { value in
                guard case .list = value else { return value }
                return value.changingScalars {
                    if case .double(let double) = $0, let integer = Int64(exactly: double) {
                        .integer(integer)
                    } else {
                        $0
                    }
                }
            }),
        Mutant(
            "large-integers-read-as-doubles", "Integers beyond 2⁵³ are read as doubles.", killedBy: "NUM-005",
            read: { value in
                if case .integer(let integer) = value, integer > 1 << 53 { .double(Double(integer)) } else { value }
            }),
        Mutant(
            "list-integers-read-as-doubles", "Integers in lists are read as doubles.", killedBy: "NUM-005",
            read: { value in
                guard case .list = value else { return value }
                return value.changingScalars {
                    if case .integer(let integer) = $0 { .double(Double(integer)) } else { $0 }
                }
            }),
        Mutant(
            "zero-read-as-negative", "0.0 is read as −0.0.", killedBy: "NUM-006",
            read: { $0 == .double(0) ? .double(-0.0) : $0 }),
        Mutant(
            "list-zero-read-as-negative", "0.0 in a list is read as −0.0.", killedBy: "NUM-006",
            read: { value in
                guard case .list = value else { return value }
                return value.changingScalars { $0 == .double(0) ? .double(-0.0) : $0 }
            }),
        Mutant("zero-compared-by-sign", "At most zero leaves out zero.", killedBy: "NUM-006") { part, row, _ in
            guard case .compare(let position, .lessOrEqual, .double(0)) = part, row[position] == .double(0) else {
                return nil
            }
            return false
        },
        Mutant("rounded-operand-inclusive", "Less or equal counts as less beyond 2⁵³.", killedBy: "NUM-007") {
            part, row, _ in
            guard case .compare(let position, .lessOrEqual, .integer(let operand)) = part, operand > 1 << 52 else {
                return nil
            }
            return BoundPredicate.compare(position, .less, .integer(operand)).matches(row)
        },
        comparing(
            "other-kinds-compared-as-doubles", "Integers beyond 2⁵³ are compared as doubles.", killedBy: "NUM-007"
        ) { left, right in
            guard case (.integer(let left), .integer(let right)) = (left, right), left.magnitude > 1 << 53 else {
                return nil
            }
            return Ordering(Double(left), Double(right))
        },
        comparing(
            "doubles-compared-with-tolerance", "Doubles that differ in the last bit are equal.", killedBy: "NUM-007"
        ) { left, right in
            guard case (.double(let left), .double(let right)) = (left, right),
                left.nextUp == right || left.nextDown == right
            else { return nil }
            return .equal
        },
        Mutant(
            "booleans-read-as-integers", "Booleans are read as integers.", killedBy: "NUM-008",
            read: { value in
                if case .boolean(let truth) = value { .integer(truth ? 1 : 0) } else { value }
            }),
        Mutant(
            "list-booleans-read-as-integers", "Booleans in lists are read as integers.", killedBy: "NUM-008",
            read: { value in
                guard case .list = value else { return value }
                return value.changingScalars {
                    if case .boolean(let truth) = $0 { .integer(truth ? 1 : 0) } else { $0 }
                }
            }),
        Mutant(
            "null-boolean-is-false", "Null of a boolean field is read as false.", killedBy: "NUM-008",
            rows: { rows, entity in
                rows.map { row in
                    zip(row, entity.fields).map { $0.isNull && $1.type == .boolean ? .boolean(false) : $0 }
                }
            }),
        Mutant("true-sorts-first", "True sorts before false.", killedBy: "NUM-008") { left, right, _ in
            guard case (.boolean(let left), .boolean(let right)) = (left, right) else { return nil }
            return Ordering(left ? 0 : 1, right ? 0 : 1)
        },
        Mutant("not-true-is-false", "Not equal to true means equal to false.", killedBy: "NUM-008") { part, row, _ in
            guard case .compare(let position, .notEqual, .boolean(let truth)) = part else { return nil }
            return row[position] == .boolean(!truth)
        },
        Mutant(
            "true-keys-scanned-first", "Scans deliver true before false.", killedBy: "NUM-008",
            scanned: { rows, _ in
                rows.filter { $0.cells[0] == .boolean(true) } + rows.filter { $0.cells[0] != .boolean(true) }
            }),
        texts("numeric-affinity", "Text that is a whole number is kept as that.") { text in
            Int64(text).map { "\($0)" } ?? text
        },
        texts("decimal-affinity", "Text that is a decimal number is kept as that.") { text in
            text.contains(".") ? Double(text).map { "\($0)" } ?? text : text
        },
        texts("exponent-affinity", "Text with an exponent is kept as a number.") { text in
            text.foldingASCII == "1e3" ? "1000.0" : text
        },
        texts("uuid-lower-cased", "Identifiers are kept in lower case.") { $0.utf8.count == 36 ? $0.foldingASCII : $0 },
        texts("uuid-braces-dropped", "Braces around identifiers are dropped.") {
            $0.hasPrefix("{f81d") ? String($0.dropFirst().dropLast()) : $0
        },
        Mutant("numeric-equality", "Texts that are the same number are equal.", killedBy: "NUM-009") { part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position],
                let left = Double(operand), let right = Double(text)
            else { return nil }
            return left == right
        },
        Mutant("numeric-sort", "Texts that are numbers are sorted as numbers.", killedBy: "NUM-009") { left, right, _ in
            guard case (.text(let left), .text(let right)) = (left, right), let left = Int(left),
                let right = Int(right), left != right
            else { return nil }
            return Ordering(left, right)
        },
        Mutant(
            "true-text-is-boolean", "The text `true` is read as a boolean.", killedBy: "NUM-009",
            read: { $0 == .text("true") ? .boolean(true) : $0 }),
    ]

    private static func integers(
        _ id: String, _ summary: String, killedBy clause: String, _ change: @escaping @Sendable (Int64) -> Int64
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            written: { if case .integer(let integer) = $0 { .integer(change(integer)) } else { $0 } })
    }

    private static func doubles(
        _ id: String, _ summary: String, killedBy clause: String, _ change: @escaping @Sendable (Double) -> Double
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            written: { if case .double(let double) = $0 { .double(change(double)) } else { $0 } })
    }

    private static func texts(_ id: String, _ summary: String, _ change: @escaping @Sendable (String) -> String)
        -> Mutant
    {
        Mutant(id, summary, killedBy: "NUM-009", written: { $0.changingText(change) })
    }

    /// Comparisons by another order.
    private static func comparing(
        _ id: String, _ summary: String, killedBy clause: String,
        _ order: @escaping @Sendable (Value, Value) -> Ordering?
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { part, row, _ in
            guard case .compare(let position, let comparison, let operand) = part,
                let ordering = order(row[position], operand)
            else { return nil }
            return comparison.holds(ordering)
        }
    }
}
