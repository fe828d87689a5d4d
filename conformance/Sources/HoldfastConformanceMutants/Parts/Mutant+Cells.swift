public import HoldfastConformance
public import HoldfastStorage

extension Mutant {
    /// Creates a mutant that changes cells on their way in.
    ///
    /// - Parameters:
    ///   - id: A name in lower case with hyphens, which says what is wrong.
    ///   - summary: What is wrong, in one sentence.
    ///   - clause: The clause that must find the mutant.
    ///   - change: Returns the changed cell, or the same one where the mutant does not apply.
    public init(
        _ id: String, _ summary: String, killedBy clause: String, written change: @escaping @Sendable (Value) -> Value
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { $0.written = trigger.watching(change) }
        }
    }

    /// Creates a mutant that changes cells on their way out.
    public init(
        _ id: String, _ summary: String, killedBy clause: String, read change: @escaping @Sendable (Value) -> Value
    ) {
        self.init(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { $0.read = trigger.watching(change) }
        }
    }
}
