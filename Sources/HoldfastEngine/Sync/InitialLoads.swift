import HoldfastStorage

/// The models whose records come for the first time, as far as the last page of each shows.
///
/// A guess: such a model's next page is likely to be new too, and is then written without a look at each record.
final class InitialLoads: Sendable {
    private let names = Mutex<Set<String>>([])

    /// Whether all records of the model's last page were new.
    func contains(_ model: String) -> Bool { names.withLock { $0.contains(model) } }

    /// Records a page.
    func note(_ model: String, isInitial: Bool) {
        names.withLock { names in
            if isInitial { names.insert(model) } else { names.remove(model) }
        }
    }
}
