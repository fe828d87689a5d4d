/// Numbers the models of a schema in a type, since a model's schema belongs to its type.
protocol ModelPlace: Sendable {
    /// The place of the model in the schema, from 0.
    static var index: Int { get }
}

/// The number 0.
enum FirstPlace: ModelPlace {
    static var index: Int { 0 }
}

/// Twice another number.
enum EvenPlace<Half: ModelPlace>: ModelPlace {
    static var index: Int { 2 * Half.index }
}

/// Twice another number, and one.
enum OddPlace<Half: ModelPlace>: ModelPlace {
    static var index: Int { 2 * Half.index + 1 }
}
