import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct ValueOrderTests {
    /// Values of every kind, among them equal ones that are written differently.
    static let values: [Value] = {
        var values: [Value] = [.null, .double(-0.0), .double(0x1p63), .double(-0x1p63), .list([]), .list([.null])]
        for type in FieldType.scalars + [.bytes] { values += ValuePool.values(of: type) }
        values += [.list([.integer(1)]), .list([.integer(1), .null]), .list([.integer(2)]), .list([.text("a")])]
        return values
    }()

    @Test func orderIsAntisymmetricAndReflexive() {
        for left in Self.values {
            #expect(ValueOrder.compare(left, left) == .equal)
            for right in Self.values {
                #expect(
                    ValueOrder.compare(left, right) == ValueOrder.compare(right, left).reversed, "\(left), \(right)")
            }
        }
    }

    @Test func orderIsTransitive() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<60_000 {
            let (a, b, c) = (random.pick(Self.values), random.pick(Self.values), random.pick(Self.values))
            if ValueOrder.compare(a, b) != .descending && ValueOrder.compare(b, c) != .descending
                && ValueOrder.compare(a, c) == .descending
            {
                Issue.record("\(a) ≤ \(b) ≤ \(c), but not \(a) ≤ \(c)")
            }
        }
    }

    // The type spares the compiler seconds.
    static let mixedPairs: [(Int64, Double, Ordering)] = [
        (.max, 0x1p63, .ascending), (.min, -0x1p63, .equal), (.min, (-0x1p63).nextUp, .ascending),
        (.min, (-0x1p63).nextDown, .descending), (1 << 53, 0x1p53, .equal), ((1 << 53) + 1, 0x1p53, .descending),
        ((1 << 53) - 1, 0x1p53, .ascending), (0, -0.0, .equal), (0, .leastNonzeroMagnitude, .ascending),
        (-1, -0.5, .ascending), (1, 0.5, .descending), (0, 1e308, .ascending),
    ]

    @Test(arguments: mixedPairs)
    func integersAndDoublesCompareExactly(_ integer: Int64, _ double: Double, _ expected: Ordering) {
        let (left, right) = (Value.integer(integer), Value.double(double))
        #expect(ValueOrder.compare(left, right) == expected)
        #expect(ValueOrder.compare(right, left) == expected.reversed)
    }

    @Test(arguments: [
        ("e\u{301}", "\u{E9}"), ("e\u{301}", "f"), ("f", "\u{E9}"), ("", "a"), ("A", "a"), ("a", "a "), ("a", "ab"),
        ("\u{FFFD}", "\u{1F600}"), ("\u{FB00}", "\u{FFFD}"),
    ])
    func textIsOrderedByItsBytes(_ first: String, _ second: String) {
        #expect(ValueOrder.compareText(first, second) == .ascending)
        #expect(ValueOrder.compareText(second, first) == .descending)
        #expect(Value.text(first) != Value.text(second))
    }

    @Test func bytesAreOrderedUnsigned() {
        #expect(ValueOrder.compare(.bytes([0x7F]), .bytes([0x80])) == .ascending)
        #expect(ValueOrder.compare(.bytes([]), .bytes([0])) == .ascending)
        #expect(ValueOrder.compare(.bytes([0]), .bytes([0, 0])) == .ascending)
    }

    @Test func momentsCompareByInstantAndKeepTheirWriting() throws {
        let west = try FieldType.dateTime.canonical(.text("2024-01-01T01:00:00+01:00"))
        let zulu = try FieldType.dateTime.canonical(.text("2024-01-01T00:00:00.000Z"))
        let later = try FieldType.dateTime.canonical(.text("2024-01-01T00:00:00.000000001Z"))
        #expect(ValueOrder.areEqual(west, zulu))
        #expect(west != zulu)
        #expect(ValueOrder.compare(zulu, later) == .ascending)
    }

    @Test func listsCompareElementByElement() {
        #expect(ValueOrder.compareLists([], [.null]) == .ascending)
        #expect(ValueOrder.compareLists([.integer(1), .integer(9)], [.integer(2)]) == .ascending)
        #expect(ValueOrder.compareLists([.integer(1)], [.integer(1)]) == .equal)
        #expect(ValueOrder.compareLists([.integer(1), .null], [.integer(1)]) == .descending)
    }

    @Test func equalCellsHaveEqualHashes() {
        for left in Self.values {
            for right in Self.values where left == right { #expect(left.hashValue == right.hashValue) }
        }
    }
}
