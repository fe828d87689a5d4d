import HoldfastWire
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [false, true]) func textOfBytesReadsBack(isForURLs: Bool) {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 250) }
            let text = Base64.text(bytes, isForURLs: isForURLs)
            #expect(Base64.bytes(text) == bytes)
            #expect(!isForURLs || !text.contains { "+/=".contains($0) })
        }
    }

    @Test func padsTheUsualAlphabet() {
        #expect(Base64.text([0xFB, 0xFF]) == "+/8=")
        #expect(Base64.text([0xFB, 0xFF], isForURLs: true) == "-_8")
        for text in ["+/8=", "+/8", "-_8=", "-_8"] { #expect(Base64.bytes(text) == [0xFB, 0xFF]) }
    }

    @Test(arguments: ["a*b=", "a", "abcde", "ab=", "abc==", "a=bc", "ab===", "====", " abc"])
    func refusesOtherTexts(text: String) { #expect(Base64.bytes(text) == nil) }
}
