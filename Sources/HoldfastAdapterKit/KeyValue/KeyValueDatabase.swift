internal import HoldfastStorage

/// The engine with all uses of it, so that it closes when the last one has ended.
final class KeyValueDatabase: Sendable {
    private struct Lifetime {
        var isClosing = false
        var isClosed = false
        var useCount = 0
        /// Views that are not closed yet.
        var views: [ObjectIdentifier: any KeyValueView] = [:]
        var waiting: UnsafeContinuation<Void, Never>?
    }

    let engine: any KeyValueEngine
    private let lifetime = Mutex(Lifetime())

    init(_ engine: any KeyValueEngine) { self.engine = engine }

    deinit { end() }

    /// Runs a closure during which the engine stays open.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, or what the closure throws.
    func use<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        let isOpen = lifetime.withLock { lifetime in
            if !lifetime.isClosing { lifetime.useCount += 1 }
            return !lifetime.isClosing
        }
        if !isOpen { throw StorageError.closedStore() }
        defer { endUse() }
        return try body()
    }

    private func endUse() {
        let waiting = lifetime.withLock { lifetime -> UnsafeContinuation<Void, Never>? in
            lifetime.useCount -= 1
            return lifetime.useCount == 0 ? lifetime.waiting.take() : nil
        }
        waiting?.resume()
    }

    /// An unchanging view of the latest state.
    func view() throws(StorageError) -> KeyValueHeldView {
        try use { () throws(StorageError) in
            let view = try engine.makeView()
            lifetime.withLock { $0.views[ObjectIdentifier(view)] = view }
            return KeyValueHeldView(self, view)
        }
    }

    /// Closes a view unless that is done.
    fileprivate func close(_ view: any KeyValueView) {
        // Under the lock, so that the engine is not closed meanwhile.
        lifetime.withLock { lifetime in
            if lifetime.views.removeValue(forKey: ObjectIdentifier(view)) != nil { view.close() }
        }
    }

    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`.
    func checkIsOpen() throws(StorageError) {
        if lifetime.withLock({ $0.isClosing }) { throw StorageError.closedStore() }
    }

    /// Closes the engine when what is in progress has ended, and all views with it.
    func close() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isIdle = lifetime.withLock { lifetime in
                lifetime.isClosing = true
                if lifetime.useCount > 0 { lifetime.waiting = continuation }
                return lifetime.useCount == 0
            }
            if isIdle { continuation.resume() }
        }
        // An engine may have to end other work first.
        try? await WorkQueue(label: "holdfast.keyvalue.close").run { self.end() }
    }

    private func end() {
        let views = lifetime.withLock { lifetime -> [any KeyValueView]? in
            if lifetime.isClosed { return nil }
            lifetime.isClosed = true
            defer { lifetime.views = [:] }
            return Array(lifetime.views.values)
        }
        guard let views else { return }
        for view in views { view.close() }
        engine.close()
    }
}

/// A view that is closed with this object, or with the database.
final class KeyValueHeldView: Sendable {
    private let database: KeyValueDatabase
    private let view: any KeyValueView
    /// Held while a thread reads, if only one may.
    private let turn: KeyValueTurn?

    fileprivate init(_ database: KeyValueDatabase, _ view: any KeyValueView) {
        self.database = database
        self.view = view
        turn = database.engine.readsConcurrently ? nil : KeyValueTurn()
    }

    deinit { database.close(view) }

    /// Reads the view, which stays open that long.
    ///
    /// - Throws: ``/HoldfastStorage/StorageError`` `.closed`, or what the closure throws.
    func read<Result>(
        _ body: (any KeyValueView) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try database.use { () throws(StorageError) in
            guard let turn else { return try body(view) }
            return try turn.take { () throws(StorageError) in try body(view) }
        }
    }
}

/// Lets one thread after the other do something.
private final class KeyValueTurn: Sendable {
    private let mutex = Mutex(())

    func take<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        var outcome: Swift.Result<Result, StorageError> = .failure(StorageError.closedStore())
        mutex.withLock { _ in outcome = Swift.Result(catching: body) }
        return try outcome.get()
    }
}
