/// Pauses that end at some time, the earliest first, those of one time in the order in which they began.
struct TimerHeap {
    struct Timer {
        let at: Int64
        let id: UInt64
        let continuation: UnsafeContinuation<Void, Never>

        func isBefore(_ other: Timer) -> Bool { (at, id) < (other.at, other.id) }
    }

    private var timers: [Timer] = []

    /// When the next pause ends.
    var nextTime: Int64? { timers.first?.at }

    mutating func insert(_ timer: Timer) {
        timers.append(timer)
        var place = timers.count - 1
        while place > 0, timers[place].isBefore(timers[(place - 1) / 2]) {
            timers.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes out the pause that ends first.
    mutating func popFirst() -> Timer? {
        guard let first = timers.first, let last = timers.popLast() else { return nil }
        guard !timers.isEmpty else { return first }
        timers[0] = last
        var place = 0
        while true {
            let children = [2 * place + 1, 2 * place + 2].filter { $0 < timers.count }
            guard let least = children.min(by: { timers[$0].isBefore(timers[$1]) }),
                timers[least].isBefore(timers[place])
            else { return first }
            timers.swapAt(place, least)
            place = least
        }
    }

    /// Takes out a pause that is given up; `nil` if it has ended.
    mutating func remove(_ id: UInt64) -> Timer? {
        guard let index = timers.firstIndex(where: { $0.id == id }) else { return nil }
        let timer = timers.remove(at: index)
        let rest = timers
        timers = []
        for other in rest { insert(other) }
        return timer
    }
}
