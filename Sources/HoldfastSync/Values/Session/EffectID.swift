/// Names an effect that is in progress.
///
/// The event that ends the effect carries it.
struct EffectID: Sendable, Hashable {
    /// Rises by one from effect to effect.
    var number: Int
}
