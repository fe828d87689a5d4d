/// Something that is true or false of a model.
public protocol Evaluable {
    /// Whether a model satisfies the condition; see ``QueryPredicate``.
    func evaluate(target: any Model) -> Bool
}
