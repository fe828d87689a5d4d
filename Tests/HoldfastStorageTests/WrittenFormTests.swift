import HoldfastStorage
import Testing

@Suite struct WrittenFormTests {
    @Test(
        arguments: [
            ("0", nil, 0), ("9", nil, 9), ("0Z", 0, 0), ("3Z", 0, 3), ("3+01:00", 3_600, 3), ("0-01:30", -5_400, 0),
            ("9-17:59:59", -64_799, 9), ("9+17:59:59", 64_799, 9), ("1+00:00:01", 1, 1), ("1-00:00:01", -1, 1),
        ] as [(String, Int32?, Int)])
    func textIsReversible(text: String, offset: Int32?, digits: Int) {
        let form = WrittenForm(offset: offset, fractionDigits: digits)
        #expect(form.text == text)
        #expect(WrittenForm(text: text) == form)
    }

    @Test(arguments: ["", "Z", "a", "10", "0z", "0ZZ", "0+1:00", "0+18:00", "0+01:60", "0+01:00:", "+01:00", "0 ", ":"])
    func malformedTextIsNil(text: String) {
        #expect(WrittenForm(text: text) == nil)
    }

    @Test func everyOffsetRoundTrips() {
        for offset in Int32(-64_799)...64_799 {
            let form = WrittenForm(offset: offset, fractionDigits: Int(offset.magnitude % 10))
            guard WrittenForm(text: form.text) == form else {
                Issue.record("offset \(offset) prints as \(form.text)")
                return
            }
        }
    }
}
