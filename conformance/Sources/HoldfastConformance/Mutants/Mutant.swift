public import HoldfastStorage

/// One way in which an adapter can be wrong: a test of the suite.
public struct Mutant: Sendable {
    /// How the mistake is put in.
    public enum Insertion: Sendable {
        /// Around every handle.
        case adapter(@Sendable (any StorageAdapter, MutantTrigger) -> any StorageAdapter)
        /// Around the location, for mutants that concern several handles.
        case location(@Sendable (any StoreLocation, MutantTrigger) -> any StoreLocation)
    }

    /// A name in lower case with hyphens, which says what is wrong.
    public let id: String
    /// What is wrong, in one sentence.
    public let summary: String
    /// The clause that must find it.
    public let clause: String
    /// The three letters of the clause's family.
    public var family: String { String(clause.prefix { $0 != "-" }) }
    /// How it is put in.
    public let insertion: Insertion

    /// Creates a mutant around an adapter.
    public init(
        _ id: String, _ summary: String, killedBy clause: String,
        wrap: @escaping @Sendable (any StorageAdapter, MutantTrigger) -> any StorageAdapter
    ) {
        self.id = id
        self.summary = summary
        self.clause = clause
        insertion = .adapter(wrap)
    }

    /// Creates a mutant around a location.
    public init(
        _ id: String, _ summary: String, killedBy clause: String,
        wrapLocation: @escaping @Sendable (any StoreLocation, MutantTrigger) -> any StoreLocation
    ) {
        self.id = id
        self.summary = summary
        self.clause = clause
        insertion = .location(wrapLocation)
    }
}

/// Remembers whether a mutant ever had an effect.
public final class MutantTrigger: Sendable {
    private let hasFired = Mutex(false)
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    private let obstacle = Mutex<String?>(nil)
    private struct Hanging {
        var isHanging = false
        var action: (@Sendable () -> Void)?
    }
    private let hanging = Mutex(Hanging())

    /// Creates a trigger.
    public init() {}

    /// Says that the mutant changed something.
    public func fire() {
        if hasFired.exchange(true) { return }
        action.withLock { $0 }?()
    }

    /// Says that the mutant can make the check wait for what never comes, so that it ends as hanging without the
    /// timeout that adapters get.
    public func hang() {
        fire()
        hanging.withLock { hanging in
            hanging.isHanging = true
            return hanging.action
        }?()
    }

    /// Whether the mutant made a call wait forever.
    var isHanging: Bool { hanging.withLock { $0.isHanging } }

    /// Does something once the mutant makes a call wait forever.
    func onHang(_ body: @escaping @Sendable () -> Void) {
        let isHanging = hanging.withLock { hanging in
            hanging.action = body
            return hanging.isHanging
        }
        if isHanging { body() }
    }

    /// Says why the mutant can have no effect on the current adapter.
    public func skip(because reason: String) { obstacle.withLock { $0 = reason } }

    /// Why the mutant can have no effect; `nil` if nothing is known to be in its way.
    public var skipReason: String? { obstacle.withLock { $0 } }

    /// Does something once the mutant has fired; set before it can.
    func onFire(_ body: @escaping @Sendable () -> Void) { action.withLock { $0 = body } }

    /// Whether the mutant ever changed something.
    public var fired: Bool { hasFired.load() }

    /// A change of values that fires where it has an effect.
    public func watching(_ change: @escaping @Sendable (Value) -> Value) -> @Sendable (Value) -> Value {
        { value in
            let changed = change(value)
            if changed != value { self.fire() }
            return changed
        }
    }
}
