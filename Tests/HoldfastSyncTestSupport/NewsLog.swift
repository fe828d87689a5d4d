package import HoldfastSync
import Synchronization

/// What an engine told, and a way to wait for more.
package final class NewsLog: Sendable {
    private struct State {
        var news: [SyncNews] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var news: [SyncNews] { state.withLock { $0.news } }

    package func add(_ item: SyncNews) {
        let waiters = state.withLock { state in
            state.news.append(item)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until there are more than `count` news.
    package func more(than count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.news.count <= count { state.waiters.append(continuation) }
                return state.news.count > count
            }
            if isThere { continuation.resume() }
        }
    }
}
