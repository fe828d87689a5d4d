public import HoldfastConformance
public import HoldfastStorage

extension Mutant {
    /// Creates a defect that changes cells on their way in.
    ///
    /// - Parameter change: The changed cell; the same one where the defect does not apply.
    public init(
        _ id: String, _ summary: String, killedBy clause: String, written change: @escaping @Sendable (Value) -> Value
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { $0.written = trigger.watching(change) }
        }
    }

    /// Creates a defect that changes cells on their way out.
    public init(
        _ id: String, _ summary: String, killedBy clause: String, read change: @escaping @Sendable (Value) -> Value
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { $0.read = trigger.watching(change) }
        }
    }
}
