import Testing

@testable import HoldfastReport

@Suite struct NumberTextTests {
    @Test func digitsAreGroupedAndSmallNumbersKeepSome() {
        #expect(NumberText.grouped(1_234_567) == "1,234,567")
        #expect(NumberText.grouped(999.6) == "1,000")
        #expect(NumberText.grouped(12.34) == "12.3")
        #expect(NumberText.grouped(0.456) == "0.46")
        #expect(NumberText.grouped(0) == "0")
        #expect(NumberText.grouped(-1_500) == "−1,500")
        #expect(NumberText.grouped(.nan) == "–")
    }

    @Test func fixedNumbersAreRounded() {
        #expect(NumberText.fixed(1.005, 1) == "1.0")
        #expect(NumberText.fixed(0.999, 2) == "1.00")
        #expect(NumberText.fixed(-0.04, 1) == "0.0")
        #expect(NumberText.fixed(-2.5, 1) == "-2.5")
        #expect(NumberText.fixed(3, 0) == "3")
        #expect(NumberText.fixed(12.50, 2, isTrimmed: true) == "12.5")
        #expect(NumberText.fixed(12, 2, isTrimmed: true) == "12")
        #expect(NumberText.fixed(.infinity, 2) == "–")
    }

    @Test func axesHaveShortNumbers() {
        #expect(NumberText.short(2_000) == "2k")
        #expect(NumberText.short(1_500_000) == "1.5M")
        #expect(NumberText.short(0.05) == "0.05")
    }
}
