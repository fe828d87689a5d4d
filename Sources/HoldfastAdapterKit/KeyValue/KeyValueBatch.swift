package import HoldfastStorage

/// Puts and deletions that an engine applies in order and as a whole.
public struct KeyValueBatch: Sendable {
    private struct Change {
        /// Where the key begins in `bytes`; the value follows it.
        var start: Int
        var keyByteCount: Int
        /// -1 for a deletion.
        var valueByteCount: Int
    }

    private var bytes: [UInt8] = []
    private var changes: [Change] = []

    /// Creates an empty batch.
    public init() {}

    /// The number of puts and deletions.
    public var count: Int { changes.count }
    /// Whether there is nothing to apply.
    public var isEmpty: Bool { changes.isEmpty }
    /// The bytes of all keys and values.
    public var byteCount: Int { bytes.count }

    /// Calls a closure with each change, in order.
    ///
    /// - Parameter body: Is given the key, and the value to put or `nil` for a deletion; both are valid only during
    ///   the call.
    /// - Throws: What the closure throws; the changes after that are skipped.
    public func forEach<Failure>(
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?) throws(Failure) -> Void
    ) throws(Failure) {
        try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            let bytes = UnsafeRawBufferPointer(buffer)
            for change in changes {
                let end = change.start + change.keyByteCount
                let key = UnsafeRawBufferPointer(rebasing: bytes[change.start..<end])
                if change.valueByteCount < 0 {
                    try body(key, nil)
                } else {
                    try body(key, UnsafeRawBufferPointer(rebasing: bytes[end..<end + change.valueByteCount]))
                }
            }
        }
    }

    /// Adds a put.
    public mutating func put(_ key: some Collection<UInt8>, _ value: some Collection<UInt8>) {
        put(key) { $0.append(contentsOf: value) }
    }

    /// Adds a deletion.
    public mutating func delete(_ key: some Collection<UInt8>) {
        changes.append(Change(start: bytes.count, keyByteCount: key.count, valueByteCount: -1))
        bytes.append(contentsOf: key)
    }

    // MARK: For the adapter

    /// Adds a put whose value a closure appends; returns where the value is.
    @discardableResult
    package mutating func put(_ key: some Collection<UInt8>, appending value: (inout [UInt8]) -> Void) -> Range<Int> {
        let start = bytes.count
        bytes.append(contentsOf: key)
        let end = bytes.count
        value(&bytes)
        changes.append(Change(start: start, keyByteCount: end - start, valueByteCount: bytes.count - end))
        return end..<bytes.count
    }

    /// Takes back what was added last.
    package mutating func removeLast() {
        guard let change = changes.popLast() else { return }
        bytes.removeSubrange(change.start...)
    }

    /// What a closure makes of a part of the bytes.
    package func withBytes<Result>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try bytes.withUnsafeBufferPointer { bytes throws(StorageError) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])))
        }
    }

    /// Makes the batch empty and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
    }
}
