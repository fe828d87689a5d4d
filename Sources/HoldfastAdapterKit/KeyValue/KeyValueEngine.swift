public import HoldfastStorage

/// A state of an ordered key-value store that can be read.
///
/// Keys are ordered as unsigned bytes, a prefix first. The bytes that a closure is given are valid only during its
/// call.
public protocol KeyValueReader: AnyObject, Sendable {
    /// Calls a closure with the value of a key, if there is one.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption`, `.io`, or what the closure throws.
    func get(
        _ key: [UInt8], _ body: (_ value: UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool

    /// Calls a closure with the entries of a range, one after the other, until it returns false.
    ///
    /// The closure may call ``get(_:_:)`` of the same reader.
    ///
    /// - Parameters:
    ///   - range: The keys to visit. A bound may be longer than any key that can be stored.
    ///   - isReversed: Whether the last key comes first.
    ///   - body: Returns whether to continue.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption`, `.io`, or what the closure throws.
    func scan(
        _ range: ByteRange, isReversed: Bool,
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(StorageError) -> Bool
    ) throws(StorageError)
}

/// An unchanging state of a store.
public protocol KeyValueView: KeyValueReader {
    /// Releases the state; called exactly once, when it is not being read.
    func close()
}

/// An open ordered key-value store: what ``KeyValueAdapter`` keeps a Holdfast store in.
///
/// The functions that write are called by one thread at a time. As a reader, the engine shows the latest state,
/// which includes everything that was given to ``write(_:isSynced:)``.
///
/// An engine without transactions implements ``makeView()``, ``write(_:isSynced:)``, and ``close()``, and the two
/// functions of a reader. An engine whose writes take place in a transaction implements ``begin(isSynced:)``,
/// ``end()``, and ``rollBack()`` too, and returns false from ``readsConcurrently``; its functions as a reader are then
/// called between these only.
public protocol KeyValueEngine: KeyValueReader {
    /// Takes an unchanging view of what was written. Called by any thread.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.busy`, `.io`.
    func makeView() throws(StorageError) -> any KeyValueView

    /// Applies a batch: all of it or nothing, also after a crash.
    ///
    /// - Parameters:
    ///   - batch: May be empty, for a sync only.
    ///   - isSynced: Whether the batch and all batches before it must survive a loss of power when this returns.
    ///     Otherwise they must survive the end of the process, if that is the durability the adapter declares.
    /// - Throws: ``/HoldfastStorage/StorageError`` with the state it leaves: `.untouched` if nothing of the batch was or
    ///   will be stored, `.rolledBack` if everything since ``begin(isSynced:)`` was given up, otherwise
    ///   `.outcomeUnknown`.
    func write(_ batch: KeyValueBatch, isSynced: Bool) throws(StorageError)

    /// Closes the store and releases what it holds; called exactly once, after all views were closed.
    func close()

    // MARK: With a default

    /// The bytes of the longest key that can be stored. No limit by default.
    var maximumKeyByteCount: Int { get }

    /// Whether several threads may read one view at once, and any thread the engine's latest state. True by default.
    ///
    /// Otherwise the adapter lets one thread after the other read a view, and reads the latest state through a view.
    /// An engine that implements ``begin(isSynced:)`` must return false: any thread would read what the transaction in
    /// progress wrote, or read outside of a transaction.
    var readsConcurrently: Bool { get }

    /// Begins a transaction for the writes to come; does nothing by default.
    ///
    /// - Parameter isSynced: Whether what is written in it must survive a loss of power when ``end()`` returns.
    /// - Throws: ``/HoldfastStorage/StorageError``; there is no transaction then.
    func begin(isSynced: Bool) throws(StorageError)

    /// Commits the transaction; does nothing by default.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError``, `.rolledBack` if nothing since ``begin(isSynced:)`` was stored,
    ///   otherwise `.outcomeUnknown`. There is no transaction then.
    func end() throws(StorageError)

    /// Gives up the transaction, if there is one; does nothing by default.
    func rollBack()

    /// Copies a view to a new place.
    ///
    /// - Parameters:
    ///   - view: Made by this engine.
    ///   - destination: The address of the copy, at which nothing exists.
    /// - Throws: ``/HoldfastStorage/StorageError`` `.unsupported` by default; `.io`, `.full`.
    func backUp(_ view: any KeyValueView, to destination: String) throws(StorageError)
}

extension KeyValueEngine {
    /// No limit.
    public var maximumKeyByteCount: Int { .max }
    /// True.
    public var readsConcurrently: Bool { true }
    /// Does nothing.
    public func begin(isSynced: Bool) throws(StorageError) {}
    /// Does nothing.
    public func end() throws(StorageError) {}
    /// Does nothing.
    public func rollBack() {}
    /// Fails: the engine makes no copies.
    public func backUp(_ view: any KeyValueView, to destination: String) throws(StorageError) {
        throw StorageError(.unsupported, "The adapter makes no copies of a store.")
    }
}

extension KeyValueReader {
    /// What a closure makes of the value of a key; `nil` if there is none.
    package func value<Result>(
        _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        var result: Result?
        _ = try get(key) { value throws(StorageError) in result = try body(value) }
        return result
    }

    /// Calls a closure with the entries whose keys begin with some bytes, in ascending order.
    package func forEach(
        _ prefix: [UInt8],
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) {
        try scan(ByteRange(prefix: prefix), isReversed: false) { (key, value) throws(StorageError) in
            try body(key, value)
            return true
        }
    }
}
