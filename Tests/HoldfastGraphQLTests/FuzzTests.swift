import HoldfastStorage
import Testing

@testable import HoldfastFuzzer

@Suite struct FuzzTests {
    private static let words = [
        "{", "}", "(", ")", "[", "]", "\"", "\"\"\"", "\\", "\\u{", "\\uD83D", "#", "...", "@", "$", "!", "=", ":", "|",
        "&",
        "type ", "extend ", "query ", "fragment ", "on ", "null", "\u{FEFF}", "\r", "\n", "0", "-1.5e9", "implements ",
        "interface ", "input ", "@model ", "@hasMany ", "@belongsTo ", "@index ", "Dog", "dog", "Query", "name",
        "é", "😀", "\u{0}",
    ].map { Array($0.utf8) }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func mutatedInputsNeverCrash(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var corpus = try Fixture.names.map { Array(try Fixture.bytes($0).prefix(1500)) }
        corpus.append(Array(Pets.text.utf8))
        corpus.append(Array("{ dog { ...F } } fragment F on Dog { name doesKnowCommand(dogCommand: SIT) }".utf8))
        corpus.append(Array("query Q($a: [Int!]! = [1]) { human(id: \"x\") { friends(first: $a) { name } } }".utf8))
        corpus.append(Array(#"{"data":{"a":{"items":[{"id":"x","title":"\u00e9","_version":1,"count":1.5}]}}}"#.utf8))
        corpus.append(Array(#"{"id":"1","type":"start","payload":{"data":"{\"query\":\"{a}\"}"}}"#.utf8))
        corpus.append(Array(#"{"or":[{"title":{"eq":"a"}},{"not":{"count":{"between":[1,2]}}}]}"#.utf8))
        var readable = 0
        for _ in 0..<1500 {
            var bytes = corpus[Int.random(in: 0..<corpus.count, using: &random)]
            let start = Int.random(in: 0...bytes.count, using: &random)
            bytes = Array(bytes[start...].prefix(Int.random(in: 0...400, using: &random)))
            if Bool.random(using: &random) { bytes = Array("{ dog { name } } type A { ".utf8) + bytes }
            for _ in 0..<Int.random(in: 0...4, using: &random) { mutate(&bytes, corpus, &random) }
            if bytes.withUnsafeBytes({ Fuzzing.check($0) }) { readable += 1 }
        }
        #expect(readable > 0)
    }

    private func mutate(_ bytes: inout [UInt8], _ corpus: [[UInt8]], _ random: inout SplitMix64) {
        let position = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: position)
        case 1: if position < bytes.count { bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
        case 2: bytes.removeSubrange(position..<min(bytes.count, position + Int.random(in: 1...20, using: &random)))
        case 3: bytes.insert(contentsOf: Self.words.randomElement(using: &random) ?? [], at: position)
        case 4:
            let end = min(bytes.count, position + Int.random(in: 1...40, using: &random))
            bytes.insert(contentsOf: Array(bytes[position..<end]), at: position)
        default:
            let other = corpus.randomElement(using: &random) ?? []
            let start = Int.random(in: 0...other.count, using: &random)
            bytes.insert(contentsOf: other[start...].prefix(60), at: position)
        }
    }
}
