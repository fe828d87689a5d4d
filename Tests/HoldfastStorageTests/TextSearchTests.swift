import HoldfastStorage
import Testing

struct TextSearchTests {
    private func contains(_ text: [UInt8], _ needle: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { text in needle.withUnsafeBufferPointer { TextSearch.contains(text, $0) } }
    }

    /// The definition.
    private func occurs(_ needle: [UInt8], in text: [UInt8]) -> Bool {
        needle.count <= text.count
            && (0...(text.count - needle.count)).contains { text[$0...].starts(with: needle) }
    }

    @Test func findsWhatASimpleSearchFinds() {
        var random = SplitMix64(seed: 7)
        var foundCount = 0
        for _ in 0..<4_000 {
            // Of few letters, so that beginnings of the needle occur again and again.
            let letters = UInt8.random(in: 1...3, using: &random)
            let text = (0..<Int.random(in: 0..<120, using: &random)).map { _ in
                UInt8.random(in: 0..<letters, using: &random)
            }
            var needle = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                UInt8.random(in: 0..<letters, using: &random)
            }
            if Bool.random(using: &random), needle.count < text.count {
                let start = Int.random(in: 0..<text.count - needle.count, using: &random)
                needle = Array(text[start..<start + needle.count])
            }
            let isFound = occurs(needle, in: text)
            #expect(contains(text, needle) == isFound, "\(needle) in \(text)")
            if isFound && needle.count > 16 { foundCount += 1 }
        }
        #expect(foundCount > 300)
    }

    /// A search that began again at each place would take billions of steps.
    @Test func aTextThatAlmostMatchesEverywhereTakesItsLength() {
        let text = [UInt8](repeating: 1, count: 200_000)
        let needle = [UInt8](repeating: 1, count: 100_000)
        #expect(contains(text, needle))
        #expect(!contains(text, needle + [2]))
    }
}
