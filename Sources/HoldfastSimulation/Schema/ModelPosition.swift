/// Numbers the models of a schema in a type, since a model's schema belongs to its type.
protocol ModelPosition: Sendable {
    /// The position of the model in the schema, from 0.
    static var index: Int { get }
}

/// The number 0.
enum FirstPosition: ModelPosition {
    static var index: Int { 0 }
}

/// Twice another number.
enum EvenPosition<Half: ModelPosition>: ModelPosition {
    static var index: Int { 2 * Half.index }
}

/// Twice another number, and one.
enum OddPosition<Half: ModelPosition>: ModelPosition {
    static var index: Int { 2 * Half.index + 1 }
}
