import HoldfastGraphQL

/// The directives that models are made from.
///
/// ``AmplifyDirectives`` declares them, and those that are only checked.
enum DirectiveName: String, CustomStringConvertible {
    case model, auth
    case primaryKey, index
    case hasOne, hasMany, belongsTo, manyToMany
    case `default`
    /// The older generation's spelling of keys and indexes.
    case key
    /// The older generation's spelling of relations.
    case connection

    /// The name as a schema has it.
    var description: String { "@\(rawValue)" }
}

extension Directive {
    /// Which of the known directives it is; `nil` for any other.
    var known: DirectiveName? { DirectiveName(rawValue: name.text) }
}

extension Sequence<Directive> {
    /// The first directive of a name.
    func first(_ name: DirectiveName) -> Directive? { first { $0.known == name } }
}

extension TypeDefinition {
    /// The first directive of a name.
    func directive(_ name: DirectiveName) -> Directive? { directives.first(name) }
}
