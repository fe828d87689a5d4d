import Foundation
import HoldfastStorage

/// A thread that is always busy, and counts the milliseconds for which it gets a processor.
///
/// A clock keeps running while a busy machine runs other processes, so that everything seems to hold everything up.
/// This count does not: a thread that could run, and gets nothing done while this one gets hundreds of milliseconds,
/// is held up within the process. It never sleeps, since the system prefers a thread that wakes up to one that
/// computes.
package final class Heartbeat: Sendable {
    private let beats = Mutex(0)
    private let isOver = SharedFlag()

    /// Begins to count.
    package init() {
        Thread.detachNewThread { [self] in
            var time = timespec()
            while !isOver.isSet {
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                beats.store(time.tv_sec * 1_000 + time.tv_nsec / 1_000_000)
            }
        }
    }

    /// How many milliseconds it has had.
    package var count: Int { beats.load() }

    /// Ends the thread.
    package func stop() { isOver.set() }
}
