/// Pauses that end at some time, the earliest first, those of one time in the order in which they began.
struct TimerHeap {
    private struct Pause {
        let at: Int64
        let id: UInt64
        /// Who waits for the end of a pause that cannot be given up.
        let continuation: UnsafeContinuation<Void, Never>?

        func isBefore(_ other: Pause) -> Bool { (at, id) < (other.at, other.id) }
    }

    /// The pauses, also some of those that were given up.
    private var pauses: [Pause] = []
    private var continuations: [UInt64: UnsafeContinuation<Void, Never>] = [:]

    /// Adds a pause.
    ///
    /// - Parameters:
    ///   - id: Its number; later pauses have higher ones.
    ///   - at: When it ends.
    ///   - continuation: Who waits for its end.
    mutating func insert(_ id: UInt64, at: Int64, _ continuation: UnsafeContinuation<Void, Never>) {
        continuations[id] = continuation
        insert(Pause(at: at, id: id, continuation: nil))
    }

    /// Adds a pause that cannot be given up.
    mutating func insert(_ id: UInt64, at: Int64, lasting continuation: UnsafeContinuation<Void, Never>) {
        insert(Pause(at: at, id: id, continuation: continuation))
    }

    private mutating func insert(_ pause: Pause) {
        pauses.append(pause)
        var index = pauses.count - 1
        while index > 0, pauses[index].isBefore(pauses[(index - 1) / 2]) {
            pauses.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes out the pause that ends first.
    mutating func popFirst() -> (at: Int64, continuation: UnsafeContinuation<Void, Never>)? {
        while let first = popPause() {
            if let continuation = first.continuation ?? continuations.removeValue(forKey: first.id) {
                return (first.at, continuation)
            }
        }
        return nil
    }

    /// Takes out a pause that is given up; `nil` if it has ended.
    mutating func remove(_ id: UInt64) -> UnsafeContinuation<Void, Never>? {
        continuations.removeValue(forKey: id)
    }

    private mutating func popPause() -> Pause? {
        guard let first = pauses.first, let last = pauses.popLast() else { return nil }
        guard !pauses.isEmpty else { return first }
        pauses[0] = last
        var index = 0
        while true {
            var least = index
            for child in (2 * index + 1)...(2 * index + 2) where child < pauses.count {
                if pauses[child].isBefore(pauses[least]) { least = child }
            }
            if least == index { return first }
            pauses.swapAt(index, least)
            index = least
        }
    }
}
