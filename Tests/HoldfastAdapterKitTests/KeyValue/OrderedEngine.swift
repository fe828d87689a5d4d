import HoldfastAdapterKit
import HoldfastStorage

/// Entries in an ordered array: the smallest engine there can be.
///
/// It counts what is read of it, and writes can be made to fail.
final class OrderedEngine: KeyValueEngine {
    /// What outlives the engine, as files do.
    final class Disk: Sendable {
        struct State: Sendable {
            var content = OrderedContent()
            var isOpen = false
        }

        let state = Mutex(State())

        init() {}
    }

    /// Decides whether a write fails; is given the batch and whether it is synced.
    typealias Fault = @Sendable (KeyValueBatch, Bool) -> StorageError?

    let readsConcurrently: Bool
    private let disk: Disk
    /// Whether writes take place in transactions; they are undone by ``rollBack()`` then.
    private let hasTransactions: Bool
    private let before = Mutex<OrderedContent?>(nil)
    private let fault = Mutex<Fault?>(nil)
    private let lateFault = Mutex<Fault?>(nil)
    private let viewHook = Mutex<(@Sendable () -> Void)?>(nil)
    private let beginHook = Mutex<(@Sendable () -> Void)?>(nil)
    private let closeHook = Mutex<(@Sendable () -> Void)?>(nil)
    private let reads = Mutex(Reads())

    private struct Reads: Sendable {
        var count = 0
        var hook: (count: Int, run: @Sendable () -> Void)?
    }

    init(_ disk: Disk = Disk(), hasTransactions: Bool = false) throws(StorageError) {
        self.disk = disk
        self.hasTransactions = hasTransactions
        readsConcurrently = !hasTransactions
        let isFree = disk.state.withLock { state in
            defer { state.isOpen = true }
            return !state.isOpen
        }
        if !isFree { throw StorageError(.locked, "The store is open already; close it first.") }
    }

    /// Entries that were read since the last call.
    func takeReadCount() -> Int {
        reads.withLock { reads in
            defer { reads.count = 0 }
            return reads.count
        }
    }

    /// Runs a closure once, when `count` entries were read since the last call of ``takeReadCount()``.
    func afterReads(_ count: Int, _ hook: @escaping @Sendable () -> Void) {
        reads.withLock { $0.hook = (count, hook) }
    }

    /// Has writes fail.
    func failWrites(_ fault: @escaping Fault) { self.fault.withLock { $0 = fault } }

    /// Has writes fail that were applied.
    func failAfterWrites(_ fault: @escaping Fault) { lateFault.withLock { $0 = fault } }

    /// Runs a closure once, when the next view has been made and before it is returned.
    func afterNextView(_ hook: @escaping @Sendable () -> Void) { viewHook.withLock { $0 = hook } }

    /// Runs a closure once, before the next transaction is begun.
    func beforeNextBegin(_ hook: @escaping @Sendable () -> Void) { beginHook.withLock { $0 = hook } }

    /// Runs a closure when the engine is closed.
    func onClose(_ hook: @escaping @Sendable () -> Void) { closeHook.withLock { $0 = hook } }

    // MARK: Engine

    func get(
        _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        try view().get(key, body)
    }

    func scan(
        _ range: ByteRange, isReversed: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try view().scan(range, isReversed: isReversed, body)
    }

    func makeView() throws(StorageError) -> any KeyValueView {
        // Of what was committed: a transaction in progress does not show.
        let view = before.withLock { $0 }.map { OrderedView($0, self) } ?? view()
        viewHook.withLock { $0.take() }?()
        return view
    }

    private func view() -> OrderedView { OrderedView(disk.state.withLock { $0.content }, self) }

    func write(_ batch: KeyValueBatch, isSynced: Bool) throws(StorageError) {
        if let error = fault.withLock({ $0 })?(batch, isSynced) { throw error }
        disk.state.withLock { $0.content.apply(batch) }
        if let error = lateFault.withLock({ $0 })?(batch, isSynced) { throw error }
    }

    func begin(isSynced: Bool) throws(StorageError) {
        beginHook.withLock { $0.take() }?()
        if hasTransactions { before.withLock { before in before = disk.state.withLock { $0.content } } }
    }

    func end() throws(StorageError) { before.withLock { $0 = nil } }

    func rollBack() {
        before.withLock { before in
            guard let content = before.take() else { return }
            disk.state.withLock { $0.content = content }
        }
    }

    func close() {
        closeHook.withLock { $0.take() }?()
        disk.state.withLock { $0.isOpen = false }
    }

    fileprivate func countRead() {
        let hook = reads.withLock { reads -> (@Sendable () -> Void)? in
            reads.count += 1
            guard let hook = reads.hook, reads.count >= hook.count else { return nil }
            reads.hook = nil
            return hook.run
        }
        hook?()
    }
}

/// A copy of the entries.
private final class OrderedView: KeyValueView {
    private let content: OrderedContent
    private let engine: OrderedEngine

    init(_ content: OrderedContent, _ engine: OrderedEngine) {
        self.content = content
        self.engine = engine
    }

    func close() {}

    func get(
        _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        engine.countRead()
        let index = content.insertionIndex(of: key)
        guard index < content.entries.count, content.entries[index].key == key else { return false }
        try withBytes(content.entries[index].value, body)
        return true
    }

    func scan(
        _ range: ByteRange, isReversed: Bool,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let lower = content.insertionIndex(of: range.lower)
        let upper = max(lower, range.upper.map(content.insertionIndex) ?? content.entries.count)
        for step in 0..<upper - lower {
            let entry = content.entries[isReversed ? upper - 1 - step : lower + step]
            engine.countRead()
            var continues = true
            try withBytes(entry.key) { key throws(StorageError) in
                try withBytes(entry.value) { value throws(StorageError) in continues = try body(key, value) }
            }
            if !continues { return }
        }
    }

    private func withBytes(
        _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) {
        let outcome = bytes.withUnsafeBytes { bytes in
            Result { () throws(StorageError) in try body(bytes) }
        }
        try outcome.get()
    }
}

/// Entries in the order of their keys.
struct OrderedContent: Sendable {
    struct Entry: Sendable {
        let key: [UInt8]
        let value: [UInt8]
    }

    private(set) var entries: [Entry] = []

    /// The index of the first entry that does not precede a key.
    func insertionIndex(of key: [UInt8]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key.withUnsafeBytes({ $0.precedes(key) }) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Applies the last change of each key; many of them in one pass.
    mutating func apply(_ batch: KeyValueBatch) {
        var changes: [[UInt8]: [UInt8]?] = [:]
        batch.forEach { key, value in changes[Array(key)] = .some(value.map { Array($0) }) }
        if changes.count < 64 {
            for (key, value) in changes { apply(key, value) }
            return
        }
        let sorted = changes.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + sorted.count)
        var index = 0
        for (key, value) in sorted {
            let next = max(index, insertionIndex(of: key))
            merged += entries[index..<next]
            index = next
            if index < entries.count && entries[index].key == key { index += 1 }
            if let value { merged.append(Entry(key: key, value: value)) }
        }
        merged += entries[index...]
        entries = merged
    }

    private mutating func apply(_ key: [UInt8], _ value: [UInt8]?) {
        let index = insertionIndex(of: key)
        let exists = index < entries.count && entries[index].key == key
        switch (value, exists) {
        case (let value?, true): entries[index] = Entry(key: key, value: value)
        case (let value?, false): entries.insert(Entry(key: key, value: value), at: index)
        case (nil, true): entries.remove(at: index)
        case (nil, false): break
        }
    }
}
