import Testing

@testable import HoldfastReport

@Suite struct AxisTests {
    @Test func itEndsAtRoundNumbersAroundItsValues() {
        #expect(Axis(logarithmic: [0.7, 3]).range == 0.5...5)
        #expect(Axis(logarithmic: [1, 10]).range == 1...10)
        #expect(Axis(logarithmic: [250, 90_000]).ticks.last == 100_000)
    }

    @Test func itsPlacesAreLogarithmicAndBounded() {
        let axis = Axis(logarithmic: [1, 100])
        #expect(abs(axis.position(of: 10) - 0.5) < 1e-9)
        #expect(axis.position(of: 1) == 0)
        #expect(axis.position(of: 1_000) == 1)
        #expect(axis.position(of: -3) == 0)
        #expect(abs(axis.position(of: 2) - 0.150_514_997_831_990_6) < 1e-9)
    }

    @Test func manyDecadesHaveOneTickEach() {
        let axis = Axis(logarithmic: [1, 1_000_000])
        #expect(axis.ticks.count == 7)
        for (tick, expected) in zip(axis.ticks, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]) {
            #expect(abs(tick / expected - 1) < 1e-9)
        }
    }

    @Test(arguments: [[], [0], [-1, .infinity, .nan], [5], [2, 2], [1e-9, 1e-9], [3e12]] as [[Double]])
    func anyValuesGiveAnAxis(values: [Double]) {
        let axis = Axis(logarithmic: values)
        #expect(axis.range.lowerBound > 0)
        #expect(axis.range.upperBound > axis.range.lowerBound)
        #expect(axis.ticks.count >= 2)
        for value in values { #expect((0...1).contains(axis.position(of: value))) }
    }
}
