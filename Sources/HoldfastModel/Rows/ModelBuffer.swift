/// Models of a type that the holder does not know; see ``ModelBuffer``.
public class AnyModelBuffer {
    @usableFromInline init() {}
}

/// Collects models while they are read from rows.
///
/// An array of models cannot take its place: a requirement of ``Model`` that names one keeps classes that are not final
/// from being models.
public final class ModelBuffer<M: Model>: AnyModelBuffer {
    /// The models, in the order of their rows.
    public var models: [M]

    /// Creates a buffer that appends to some models.
    @inlinable public init(_ models: consuming [M] = []) { self.models = models }
}
