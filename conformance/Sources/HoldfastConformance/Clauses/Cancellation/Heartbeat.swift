import Foundation
import HoldfastStorage

/// A thread that counts about once in a millisecond while it gets a processor.
///
/// A clock goes on while a busy machine runs other processes, so that everything seems to hold everything up. This count
/// does not: a thread that could run and does not while this one counts hundreds of times is held up within the process.
package final class Heartbeat: Sendable {
    private let beats = Mutex(0)
    private let isOver = SharedFlag()

    /// Begins to count.
    package init() {
        Thread.detachNewThread { [self] in
            while !isOver.isSet {
                Thread.sleep(forTimeInterval: 0.001)
                beats.withLock { $0 += 1 }
            }
        }
    }

    /// How often it has counted.
    package var count: Int { beats.load() }

    /// Ends the thread.
    package func stop() { isOver.set() }
}
