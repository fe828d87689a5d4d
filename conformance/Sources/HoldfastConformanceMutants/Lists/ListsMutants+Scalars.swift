import HoldfastConformance
import HoldfastStorage

extension Mutant {
    static let jsonAndBytes: [Mutant] = [
        json("json-spaces-dropped", "White space in JSON is dropped.") { $0.mapScalars { $0 == " " ? nil : $0 } },
        json("json-trimmed", "White space around JSON is dropped.") {
            $0.unicodeScalars.first == " " ? String($0.dropFirst()) : $0
        },
        json("json-newlines-dropped", "A line feed at the end of JSON is dropped.") {
            $0.unicodeScalars.last == "\n" ? String($0.unicodeScalars.dropLast()) : $0
        },
        json("json-names-sorted", "Names are sorted.") { $0 == "{\"b\":1,\"a\":2}" ? "{\"a\":2,\"b\":1}" : $0 },
        json("json-repeated-names-dropped", "Of repeated names the last stays.") {
            $0 == "{\"a\":1,\"a\":2}" ? "{\"a\":2}" : $0
        },
        json("json-exponents-expanded", "1e2 becomes 100.") { $0 == "{\"a\":1e2}" ? "{\"a\":100}" : $0 },
        json("json-fractions-shortened", "1.0 becomes 1.") { $0 == "1.0" ? "1" : $0 },
        json("json-slashes-unescaped", "`\\/` becomes `/`.") { $0 == "{\"a\":\"\\/\"}" ? "{\"a\":\"/\"}" : $0 },
        json("json-escapes-undone", "An escape becomes its character.") {
            $0 == "{\"a\":\"\\u00e9\"}" ? "{\"a\":\"\u{E9}\"}" : $0
        },
        json("json-large-integers-rounded", "Integers beyond 64 bits are rounded.") {
            $0 == "{\"a\":9223372036854775808}" ? "{\"a\":9.223372036854776e18}" : $0
        },
        json("json-negative-zero-lost", "−0 becomes 0.") { $0 == "-0" ? "0" : $0 },
        Mutant(
            "json-null-is-null", "The JSON null is read as null.", killedBy: "LST-007",
            read: { $0 == .text("null") ? .null : $0 }),
        Mutant("json-equal-without-spaces", "JSON is compared without white space.", killedBy: "LST-007") {
            part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position]
            else { return nil }
            return operand.mapScalars { $0 == " " ? nil : $0 } == text.mapScalars { $0 == " " ? nil : $0 }
        },
        Mutant("json-numbers-compared", "JSON numbers are compared as numbers.", killedBy: "LST-007") { part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position],
                let left = Double(operand),
                let right = Double(text)
            else { return nil }
            return left == right
        },
        bytes("bytes-end-at-zero", "Bytes end at the first zero.", killedBy: "LST-008") {
            Array($0.prefix { $0 != 0 })
        },
        bytes("bytes-lose-last-zero", "A zero at the end is dropped.", killedBy: "LST-008") {
            $0.last == 0 ? Array($0.dropLast()) : $0
        },
        bytes("bytes-repaired", "Bytes that are not UTF-8 are repaired.", killedBy: "LST-008") {
            Array(String(decoding: $0, as: UTF8.self).utf8)
        },
        bytes("bytes-lose-mark", "The bytes of a byte order mark are dropped.", killedBy: "LST-008") {
            $0 == [0xEF, 0xBB, 0xBF] ? [] : $0
        },
        bytes("high-bit-lost", "The high bit is lost.", killedBy: "LST-008") {
            $0.count == 1 ? $0.map { $0 & 0x7F } : $0
        },
        Mutant(
            "empty-bytes-read-as-null", "No bytes are read as null.", killedBy: "LST-008",
            read: { $0 == .bytes([]) ? .null : $0 }),
        Mutant(
            "null-bytes-read-as-empty", "Null of bytes is stored as no bytes.", killedBy: "LST-008",
            rows: { rows, entity in
                rows.map { row in zip(row, entity.fields).map { $0.isNull && $1.type == .bytes ? .bytes([]) : $0 } }
            }),
        Mutant("bytes-equal-to-zero", "Equality of bytes ends at zero.", killedBy: "LST-008") { part, row, _ in
            guard case .compare(let position, .equal, .bytes(let operand)) = part,
                case .bytes(let bytes) = row[position]
            else { return nil }
            return operand.prefix { $0 != 0 } == bytes.prefix { $0 != 0 }
        },
        sortingBytes("bytes-sorted-as-signed", "Bytes are sorted as signed numbers.") { left, right in
            left.lexicographicallyPrecedes(right) { Int8(bitPattern: $0) < Int8(bitPattern: $1) }
        },
        sortingBytes("shorter-bytes-first", "Shorter bytes are sorted first.") { left, right in
            left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
        },
        sortingBytes("bytes-sorted-by-eight", "Bytes are sorted by the first eight.") {
            $0.prefix(8).lexicographicallyPrecedes($1.prefix(8))
        },
        Mutant("byte-ranges-signed", "Ranges compare bytes as signed numbers.", killedBy: "LST-009") { part, row, _ in
            guard case .compare(let position, .less, .bytes(let operand)) = part, case .bytes(let bytes) = row[position]
            else { return nil }
            return bytes.lexicographicallyPrecedes(operand) { Int8(bitPattern: $0) < Int8(bitPattern: $1) }
        },
        Mutant(
            "byte-keys-scanned-as-signed", "Scans deliver keys as signed bytes.", killedBy: "LST-009",
            scanned: { rows, _ in
                rows.sorted { left, right in
                    guard case (.bytes(let left), .bytes(let right)) = (left.cells[0], right.cells[0]) else {
                        return false
                    }
                    return left.lexicographicallyPrecedes(right) { Int8(bitPattern: $0) < Int8(bitPattern: $1) }
                }
            }),
        parts("byte-keys-end-at-zero", "Key components end at zero.") { Array($0.prefix { $0 != 0 }) },
        parts("byte-keys-lose-last-zero", "A zero at the end of a key component is dropped.") {
            $0.last == 0 ? Array($0.dropLast()) : $0
        },
        parts("byte-keys-escape-wrongly", "0xFF after a zero is dropped from keys.") { $0 == [0, 0xFF] ? [0] : $0 },
        Mutant(
            "byte-keys-joined", "Keys are ordered as their bytes joined.", killedBy: "LST-010",
            scanned: { rows, _ in
                rows.sorted { left, right in
                    let joined = { (row: StoredRow) -> [UInt8] in
                        row.cells.prefix(3).flatMap { cell -> [UInt8] in
                            switch cell {
                            case .bytes(let bytes): bytes
                            case .text(let text): Array(text.utf8)
                            default: []
                            }
                        }
                    }
                    return joined(left).lexicographicallyPrecedes(joined(right))
                }
            }),
        Mutant(
            "unknown-cases-null", "An unknown case becomes null.", killedBy: "LST-011",
            rows: { rows, entity in
                rows.map { row in
                    zip(row, entity.fields).map { $0 == .text("NEW_CASE") && !$1.isRequired ? .null : $0 }
                }
            }),
        Mutant(
            "unknown-elements-dropped", "An unknown case is dropped from lists.", killedBy: "LST-011",
            written: { value in
                if case .list(let elements) = value {
                    .list(elements.filter { $0 != .text("NEW_CASE") })
                } else {
                    value
                }
            }),
        Mutant(
            "cases-upper-cased", "Cases are kept in upper case.", killedBy: "LST-011",
            written: { $0.changingText { $0 == "red" ? "RED" : $0 } }),
        Mutant("cases-compared-without-case", "Cases are compared without case.", killedBy: "LST-011") { part, row, _ in
            guard case .compare(let position, .equal, .text(let operand)) = part, case .text(let text) = row[position]
            else { return nil }
            return operand.foldingASCII == text.foldingASCII
        },
    ]

    private static func json(_ id: String, _ summary: String, _ change: @escaping @Sendable (String) -> String)
        -> Mutant
    {
        Mutant(id, summary, killedBy: "LST-007", written: { $0.changingText(change) })
    }

    private static func bytes(
        _ id: String, _ summary: String, killedBy clause: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            written: { if case .bytes(let bytes) = $0 { .bytes(change(bytes)) } else { $0 } })
    }

    private static func parts(_ id: String, _ summary: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8])
        -> Mutant
    {
        bytes(id, summary, killedBy: "LST-010", change)
    }

    private static func sortingBytes(
        _ id: String, _ summary: String, _ precedes: @escaping @Sendable ([UInt8], [UInt8]) -> Bool
    ) -> Mutant {
        Mutant(id, summary, killedBy: "LST-009") { left, right, _ in
            guard case (.bytes(let left), .bytes(let right)) = (left, right) else { return nil }
            return precedes(left, right) ? .ascending : precedes(right, left) ? .descending : .equal
        }
    }
}
