import HoldfastStorage
import Testing

struct MutexTests {
    private struct Refusal: Error {}

    private final class Shared: Sendable {
        let count = Mutex(0)
    }

    @Test func changesFromManyTasksAllCount() async {
        let shared = Shared()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 { shared.count.withLock { $0 += 1 } }
                }
            }
        }
        #expect(shared.count.load() == 80_000)
    }

    @Test func isFreeAgainAfterAnError() {
        let text = Mutex("before")
        #expect(throws: Refusal.self) {
            try text.withLock { text throws(Refusal) in
                text = "after"
                throw Refusal()
            }
        }
        #expect(text.withLockIfAvailable { $0 } == "after")
    }

    @Test func isNotAvailableWhileAThreadHoldsIt() {
        let outer = Mutex(1)
        let inner = outer.withLock { _ in outer.withLockIfAvailable { $0 } }
        #expect(inner == nil)
        #expect(outer.withLockIfAvailable { $0 } == 1)
    }

    @Test func releasesItsValue() {
        final class Object: Sendable {}
        weak var released: Object?
        do {
            let object = Object()
            released = object
            let mutex = Mutex<Object?>(nil)
            mutex.withLock { [object] in $0 = object }
            #expect(released != nil)
        }
        #expect(released == nil)
    }

    @Test(
        arguments: [[], [Int64.max], [.min], [.max, 1, -1], [.min, -1, 1], [.max, .max, .min, .min, 2]] as [[Int64]])
    func wideSumIsTheIntegerThatFits(_ integers: [Int64]) {
        var sum = WideSum()
        for integer in integers { sum.add(integer) }
        #expect(sum.integer == integers.reduce(0, &+))
        #expect(sum.isNegative == (integers.reduce(0, &+) < 0))
    }

    @Test(arguments: [
        ([Int64.max, 1], false), ([.min, -1], true), ([.max, .max, .max], false), ([.min, .min], true),
    ])
    func wideSumThatDoesNotFitHasASign(_ integers: [Int64], isNegative: Bool) {
        var sum = WideSum()
        for integer in integers { sum.add(integer) }
        #expect(sum.integer == nil)
        #expect(sum.isNegative == isNegative)
    }

    /// *Source:* the definition at http://www.isthe.com/chongo/tech/comp/fnv/, computed with whole numbers of 128 bits.
    @Test(arguments: [
        ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
        ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
    ])
    func hashesAreThoseOfTheSource(_ text: String, digits: String) {
        var hash = FNVHash()
        for byte in text.utf8 { hash.add(byte) }
        #expect(hash.digits == digits)
    }
}
