#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage
internal import Synchronization

/// The handle with all who use it, so that it closes when nobody does any more.
final class LevelDBDatabase: Sendable {
    private struct Lifetime {
        /// `nil` once closed.
        var handle: LevelDBConnection?
        var useCount = 0
        var isClosing = false
        /// Snapshots that are not released yet, as addresses.
        var snapshots: Set<UInt> = []
        /// Scans that nobody ended yet, as addresses.
        var iterators: Set<UInt> = []
        var waiting: UnsafeContinuation<Void, Never>?
    }

    private let lifetime: Mutex<Lifetime>

    init(_ handle: LevelDBConnection) {
        lifetime = Mutex(Lifetime(handle: handle))
    }

    /// Runs a closure with the handle, which stays open that long.
    ///
    /// - Throws: ``StorageError`` `.closed`, or what the closure throws.
    func use<Result>(
        _ body: (LevelDBConnection) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let handle = lifetime.withLock { lifetime -> LevelDBConnection? in
            guard !lifetime.isClosing, let handle = lifetime.handle else { return nil }
            lifetime.useCount += 1
            return handle
        }
        guard let handle else { throw StorageError.closedStore() }
        defer { endUse() }
        return try body(handle)
    }

    private func endUse() {
        let waiting = lifetime.withLock { lifetime -> UnsafeContinuation<Void, Never>? in
            lifetime.useCount -= 1
            return lifetime.useCount == 0 ? lifetime.waiting.take() : nil
        }
        waiting?.resume()
    }

    /// An unchanging view of the latest state.
    func view(fillsCache: Bool = true) throws(StorageError) -> LevelDBView {
        try use { handle throws(StorageError) in
            let snapshot = handle.createSnapshot()
            let address = UInt(bitPattern: snapshot)
            lifetime.withLock { _ = $0.snapshots.insert(address) }
            return LevelDBView(self, snapshot, fillsCache: fillsCache)
        }
    }

    /// Releases a snapshot unless that is done.
    fileprivate func release(_ address: UInt) {
        lifetime.withLock { lifetime in
            guard let handle = lifetime.handle, lifetime.snapshots.remove(address) != nil,
                let snapshot = OpaquePointer(bitPattern: address)
            else { return }
            handle.release(snapshot)
        }
    }

    /// Starts a scan that may outlive its use of the handle; it ends with the database, at the latest.
    func iterator(_ handle: LevelDBConnection, _ options: LevelDBReadOptions) -> LevelDBIterator {
        let pointer = handle.createIterator(options)
        lifetime.withLock { _ = $0.iterators.insert(UInt(bitPattern: pointer)) }
        return LevelDBIterator(pointer, of: self)
    }

    /// Ends a scan unless the database was closed.
    func end(_ iterator: OpaquePointer) {
        lifetime.withLock { lifetime in
            if lifetime.iterators.remove(UInt(bitPattern: iterator)) != nil { LevelDBIterator.destroy(iterator) }
        }
    }

    /// - Throws: ``StorageError`` `.closed`.
    func checkIsOpen() throws(StorageError) {
        if lifetime.withLock({ $0.isClosing }) { throw StorageError.closedStore() }
    }

    /// Closes the database when what is under way has ended, and all views and scans with it; called once.
    func close() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isIdle = lifetime.withLock { lifetime in
                lifetime.isClosing = true
                if lifetime.useCount > 0 { lifetime.waiting = continuation }
                return lifetime.useCount == 0
            }
            if isIdle { continuation.resume() }
        }
        // LevelDB may have to end a compaction first.
        try? await WorkQueue(label: "holdfast.leveldb.close").run {
            let handle = self.lifetime.withLock { lifetime -> LevelDBConnection? in
                for address in lifetime.iterators {
                    if let iterator = OpaquePointer(bitPattern: address) { LevelDBIterator.destroy(iterator) }
                }
                lifetime.iterators = []
                for address in lifetime.snapshots {
                    if let snapshot = OpaquePointer(bitPattern: address) { lifetime.handle?.release(snapshot) }
                }
                lifetime.snapshots = []
                return lifetime.handle.take()
            }
            handle?.close()
        }
    }
}

/// An unchanging state of the database; released with this object.
final class LevelDBView: Sendable {
    let database: LevelDBDatabase
    let options: LevelDBReadOptions
    private let address: UInt

    fileprivate init(_ database: LevelDBDatabase, _ snapshot: OpaquePointer, fillsCache: Bool) {
        self.database = database
        options = LevelDBReadOptions(snapshot, fillsCache: fillsCache)
        address = UInt(bitPattern: snapshot)
    }

    deinit { database.release(address) }
}
#endif
