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
}
