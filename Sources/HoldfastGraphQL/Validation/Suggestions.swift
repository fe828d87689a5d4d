/// Finds the names that the author may have meant.
enum Suggestions {
    /// At most this many names are suggested.
    private static let maximumCount = 3
    /// Longer names are not compared.
    private static let maximumLength = 64
    /// At most this many names of a fitting length are compared, since a request can bring any number of them.
    private static let maximumComparisons = 2000

    /// A sentence that asks whether one of the nearest names was meant; `nil` when none is near.
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - candidates: What could have been written.
    ///   - prefix: What is before each name in the sentence, such as an at sign.
    /// - Returns: A question with at most three names, nearest first.
    static func hint(for name: String, among candidates: some Sequence<String>, prefix: String = "") -> String? {
        let names = nearest(to: name, among: candidates).map { "\"\(prefix)\($0)\"" }
        guard let last = names.last else { return nil }
        let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " or " + last
        return "Did you mean \(list)?"
    }

    /// A sentence that names everything that could have been written; `nil` for more than a dozen names.
    static func list(of names: some Collection<String>) -> String? {
        guard !names.isEmpty, names.count <= 12 else { return nil }
        return "Use one of: \(names.joined(separator: ", "))."
    }

    /// The nearest names, nearest first, then by UTF-8 bytes.
    static func nearest(to name: String, among candidates: some Sequence<String>) -> [String] {
        let typed = Array(name.utf8)
        guard !typed.isEmpty, typed.count <= maximumLength else { return [] }
        let limit = typed.count * 2 / 5 + 1
        var found: [(distance: Int, name: String)] = []
        var comparisons = 0
        for candidate in candidates {
            let count = candidate.utf8.count
            guard count <= maximumLength, abs(count - typed.count) <= limit, candidate != name else { continue }
            comparisons += 1
            guard comparisons <= maximumComparisons else { break }
            guard let distance = distance(typed, Array(candidate.utf8), limit: limit) else { continue }
            found.append((distance, candidate))
        }
        found.sort { $0.distance == $1.distance ? $0.name < $1.name : $0.distance < $1.distance }
        var names: [String] = []
        for entry in found where names.last != entry.name && names.count < maximumCount { names.append(entry.name) }
        return names
    }

    /// The number of insertions, removals, replacements and swaps between two names; `nil` above a limit.
    ///
    /// A name that differs only in upper and lower case is one step away.
    private static func distance(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
        let left = left.map(lowercased)
        let right = right.map(lowercased)
        if left == right { return 1 }
        var older = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        var current = previous
        for row in 1...left.count {
            current[0] = row
            var smallest = row
            for column in stride(from: 1, through: right.count, by: 1) {
                let cost = left[row - 1] == right[column - 1] ? 0 : 1
                var value = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + cost)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    value = min(value, older[column - 2] + 1)
                }
                current[column] = value
                smallest = min(smallest, value)
            }
            if smallest > limit { return nil }
            (older, previous, current) = (previous, current, older)
        }
        return previous[right.count] <= limit ? previous[right.count] : nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
