/// A condition on a model's fields.
///
/// A condition is a value: joining it with another makes a new one and changes neither.
///
/// ```swift
/// let recent = Post.keys.rating >= 4 && Post.keys.title.beginsWith("H")
/// let others = !recent || Post.keys.rating == nil
/// ```
public protocol QueryPredicate: Evaluable, Encodable, Sendable {}
