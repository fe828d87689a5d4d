import HoldfastStorage

/// Makes the same items in every run.
struct ItemGenerator {
    /// What ``Item/status`` can be, each as frequent as the others.
    static let statuses = ["draft", "published", "archived"]

    private static let words = [
        "lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "adipiscing", "elit", "sed", "do",
    ]
    /// 2026-01-01T00:00:00Z.
    private static let firstSecond: Int64 = 1_767_225_600
    private static let secondsOfYear: Int64 = 365 * 86_400

    private var random: SplitMix64

    /// Creates a generator; the same seed makes the same items.
    init(seed: UInt64) { random = SplitMix64(state: seed) }

    /// Makes items in no particular order of id, title or time.
    mutating func items(_ count: Int) -> [Item] {
        (0..<count).map { _ in
            Item(
                id: uuid(), title: text(byteCount: 30), content: text(byteCount: 200),
                rating: Int(random.next() % 6), status: Self.statuses[Int(random.next() % 3)], createdAt: instant())
        }
    }

    /// Draws elements with repetition.
    mutating func draw<Element>(_ count: Int, from elements: [Element]) -> [Element] {
        (0..<count).map { _ in elements[Int(random.next() % UInt64(elements.count))] }
    }

    /// Draws questions for pages of 50 that begin anywhere in the year but its last month.
    mutating func queries(_ count: Int) -> [ItemQuery] {
        (0..<count).map { _ in
            let status = Self.statuses[Int(random.next() % 3)]
            return ItemQuery(status: status, createdAfter: instant(withinShare: 11.0 / 12), limit: 50)
        }
    }

    private mutating func uuid() -> String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = (0..<36).map { position in
            [8, 13, 18, 23].contains(position) ? UInt8(ascii: "-") : digits[Int(random.next() & 15)]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func text(byteCount: Int) -> String {
        var text = ""
        while text.utf8.count < byteCount { text += Self.words[Int(random.next() % 10)] + " " }
        return String(text.prefix(byteCount))
    }

    private mutating func instant(withinShare share: Double = 1) -> Timestamp {
        let seconds = UInt64(Double(Self.secondsOfYear) * share)
        return Timestamp(
            secondsSinceEpoch: Self.firstSecond + Int64(random.next() % seconds),
            nanoseconds: Int32(random.next() % 1_000) * 1_000_000, tail: WrittenForm(offset: 0, fractionDigits: 3))
    }
}
