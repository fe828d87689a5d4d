import HoldfastStorage
import Testing

struct WideSumTests {
    @Test(
        arguments: [[], [Int64.max], [.min], [.max, 1, -1], [.min, -1, 1], [.max, .max, .min, .min, 2]] as [[Int64]])
    func theSumIsTheIntegerThatFits(_ integers: [Int64]) {
        var sum = WideSum()
        for integer in integers { sum.add(integer) }
        #expect(sum.integer == integers.reduce(0, &+))
        #expect(sum.isNegative == (integers.reduce(0, &+) < 0))
    }

    @Test(arguments: [
        ([Int64.max, 1], false), ([.min, -1], true), ([.max, .max, .max], false), ([.min, .min], true),
    ])
    func aSumThatDoesNotFitHasASign(_ integers: [Int64], isNegative: Bool) {
        var sum = WideSum()
        for integer in integers { sum.add(integer) }
        #expect(sum.integer == nil)
        #expect(sum.isNegative == isNegative)
    }
}
