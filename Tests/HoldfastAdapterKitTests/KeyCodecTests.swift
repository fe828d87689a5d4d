import HoldfastAdapterKit
import HoldfastConformance
import HoldfastStorage
import Testing

@Suite struct KeyCodecTests {
    @Test func byteOrderIsValueOrderForRandomComponents() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let kinds = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0..<8, using: &random) }
            let directions: [SortKey.Direction] = kinds.map { _ in
                Bool.random(using: &random) ? .ascending : .descending
            }
            let left = kinds.map { Value.random(kind: $0, using: &random) }
            let right = kinds.map { Value.random(kind: $0, using: &random) }
            var expected = Ordering.equal
            for index in kinds.indices where expected == .equal {
                let ordering = ValueOrder.compare(left[index], right[index])
                expected = directions[index] == .descending ? ordering.reversed : ordering
            }
            let keys = [left, right].map { KeyCodec.encode($0, directions: directions) }
            #expect(order(keys[0], keys[1]) == expected, "\(left) and \(right), \(directions)")
        }
    }

    @Test func kindsAreInTheOrderOfValueOrder() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<5_000 {
            let left = Value.random(kind: Int.random(in: 0..<8, using: &random), using: &random)
            let right = Value.random(kind: Int.random(in: 0..<8, using: &random), using: &random)
            if case (.integer, .double) = (left, right) { continue }
            if case (.double, .integer) = (left, right) { continue }
            let expected = ValueOrder.compare(left, right)
            #expect(order(KeyCodec.encode([left]), KeyCodec.encode([right])) == expected, "\(left) and \(right)")
        }
    }

    @Test func aDecodedKeyHasTheSameComponents() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<5_000 {
            let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Value.random(kind: Int.random(in: 0..<8, using: &random), using: &random)
            }
            let directions: [SortKey.Direction] = values.map { _ in
                Bool.random(using: &random) ? .ascending : .descending
            }
            let decoded = try KeyCodec.decode(KeyCodec.encode(values, directions: directions), directions: directions)
            #expect(ValueOrder.compareLists(decoded, values) == .equal)
        }
        let list = Value.list([.text("a"), .null, .list([])])
        #expect(try KeyCodec.decode(KeyCodec.encode([list, .integer(1)])) == [list, .integer(1)])
    }

    @Test func damagedBytesAreCorruption() {
        let key = KeyCodec.encode([.text("abc"), .integer(7)])
        for count in 1..<key.count where count != 6 {
            #expect(throws: StorageError(.corruption, "")) { try KeyCodec.decode(Array(key.prefix(count))) }
        }
        #expect(throws: StorageError(.corruption, "")) { try KeyCodec.decode([0x99]) }
        #expect(throws: StorageError(.corruption, "")) { try KeyCodec.decode([0x30, 0xC3, 0x00, 0x01]) }
        #expect(throws: StorageError(.corruption, "")) { try KeyCodec.decode([0x30, 0x00, 0x02]) }
    }

    @Test func componentsNeverRunIntoEachOther() {
        #expect(KeyCodec.encode([.text("a#b"), .text("c")]) != KeyCodec.encode([.text("a"), .text("b#c")]))
        #expect(KeyCodec.encode([.text(""), .text("a")]) != KeyCodec.encode([.text("a"), .text("")]))
        #expect(KeyCodec.encode([.bytes([0]), .bytes([])]) != KeyCodec.encode([.bytes([]), .bytes([0])]))
        let prefix = KeyCodec.bounds(of: KeyRange("E", from: .included([.text("1")]), to: .included([.text("1")])))
        #expect(prefix.contains(KeyCodec.encode([.text("1"), .text("x")])))
        #expect(!prefix.contains(KeyCodec.encode([.text("10"), .text("x")])))
        #expect(!prefix.contains(KeyCodec.encode([.text("1\u{1}"), .text("")])))
    }

    @Test func oneInstantIsOneKeyForAnyOffset() {
        let keys = [0, 3_600, -64_799].map { offset in
            KeyCodec.encode([
                .timestamp(
                    Timestamp(
                        secondsSinceEpoch: -5, nanoseconds: 7,
                        tail: WrittenForm(offset: Int32(offset), fractionDigits: 9)))
            ])
        }
        #expect(Set(keys).count == 1)
        #expect(KeyCodec.encode([.double(-0.0)]) == KeyCodec.encode([.double(0.0)]))
    }

    @Test func boundsAreExactlyTheKeyRange() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<20_000 {
            let kinds = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 1..<8, using: &random) }
            let key = kinds.map { Value.random(kind: $0, nulls: false, using: &random) }
            let range = KeyRange("E", from: bound(kinds, &random), to: bound(kinds, &random))
            #expect(
                KeyCodec.bounds(of: range).contains(KeyCodec.encode(key)) == range.contains(key),
                "\(key) in \(range)")
        }
    }

    @Test func aTextPrefixCoversTheTextsThatBeginWithIt() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<5_000 {
            guard case .text(let prefix) = Value.random(kind: 4, nulls: false, using: &random),
                case .text(let text) = Value.random(kind: 4, nulls: false, using: &random)
            else { continue }
            var bytes: [UInt8] = []
            KeyCodec.appendTextPrefix(prefix, to: &bytes)
            let isInside = ByteRange(prefix: bytes).contains(KeyCodec.encode([.text(text), .integer(1)]))
            #expect(isInside == Array(text.utf8).starts(with: Array(prefix.utf8)))
        }
    }

    @Test func theFormatIsPermanent() {
        #expect(KeyCodec.encode([.null, .boolean(false), .boolean(true)]) == [0x01, 0x10, 0x11])
        #expect(KeyCodec.encode([.integer(-1)]) == [0x20, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(KeyCodec.encode([.double(1)]) == [0x21, 0xBF, 0xF0, 0, 0, 0, 0, 0, 0])
        #expect(KeyCodec.encode([.text("é\0")]) == [0x30, 0xC3, 0xA9, 0x00, 0xFF, 0x00, 0x01])
        #expect(KeyCodec.encode([.bytes([0xFF])]) == [0x40, 0xFF, 0x00, 0x01])
        #expect(KeyCodec.encode([.date(CalendarDate(daysSinceEpoch: 1))]) == [0x50, 0x80, 0, 0, 1])
        #expect(KeyCodec.encode([.text("a")], directions: [.descending]) == [0xCF, 0x9E, 0xFF, 0xFE])
        #expect(KeyCodec.successor(of: [0x01, 0xFF]) == [0x02])
        #expect(KeyCodec.successor(of: [0xFF]) == nil)
    }

    @Test func lengthsOfComponentsAreFound() throws {
        let key = KeyCodec.encode([.text("ab"), .integer(1), .text("c")])
        #expect(try KeyCodec.byteCount(ofFirst: 0, in: key) == 0)
        #expect(try KeyCodec.byteCount(ofFirst: 1, in: key) == 5)
        #expect(try KeyCodec.byteCount(ofFirst: 2, in: key) == 14)
        #expect(throws: StorageError(.corruption, "")) { try KeyCodec.byteCount(ofFirst: 4, in: key) }
    }

    private func order(_ left: [UInt8], _ right: [UInt8]) -> Ordering {
        left == right ? .equal : left.lexicographicallyPrecedes(right) ? .ascending : .descending
    }

    private func bound(_ kinds: [Int], _ random: inout SplitMix64) -> KeyRange.Bound {
        let prefix = kinds.prefix(Int.random(in: 0...kinds.count, using: &random)).map {
            Value.random(kind: $0, nulls: false, using: &random)
        }
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: .unbounded
        case 1, 2: .included(prefix)
        default: .excluded(prefix)
        }
    }
}
