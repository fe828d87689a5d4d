/// One entry between the braces of a selection.
public enum Selection: Hashable, Sendable {
    /// A field.
    case field(FieldSelection)
    /// A fragment by name.
    case spread(FragmentSpread)
    /// A fragment in place.
    case inlineFragment(InlineFragment)

    /// Where the entry starts.
    public var location: Location {
        switch self {
        case .field(let field): field.location
        case .spread(let spread): spread.location
        case .inlineFragment(let fragment): fragment.location
        }
    }

    /// The directives on the entry.
    public var directives: [Directive] {
        switch self {
        case .field(let field): field.directives
        case .spread(let spread): spread.directives
        case .inlineFragment(let fragment): fragment.directives
        }
    }
}

/// A field that is selected.
public struct FieldSelection: Hashable, Sendable {
    /// The name in the response when it is not the field's own.
    public var alias: Name?
    /// The name of the field.
    public var name: Name
    /// The arguments in the order of the source.
    public var arguments: [Argument]
    /// The directives on it.
    public var directives: [Directive]
    /// What is selected of its value; empty when nothing is.
    public var selections: [Selection]

    /// Makes a selected field.
    public init(
        alias: Name? = nil, name: Name, arguments: [Argument] = [], directives: [Directive] = [],
        selections: [Selection] = []
    ) {
        self.alias = alias
        self.name = name
        self.arguments = arguments
        self.directives = directives
        self.selections = selections
    }

    /// The name in the response.
    public var responseName: String { alias?.text ?? name.text }

    /// Where the field, with its alias, starts.
    public var location: Location { alias?.location ?? name.location }
}

/// The use of a fragment by name.
public struct FragmentSpread: Hashable, Sendable {
    /// The name of the fragment.
    public var name: Name
    /// The directives on the use.
    public var directives: [Directive]
    /// Where the three dots are.
    public var location: Location

    /// Makes a use of a fragment.
    public init(name: Name, directives: [Directive] = [], location: Location = .none) {
        self.name = name
        self.directives = directives
        self.location = location
    }
}

/// A fragment without a name where it is used.
public struct InlineFragment: Hashable, Sendable {
    /// The type on which it selects; the surrounding one when absent.
    public var typeCondition: Name?
    /// The directives on it.
    public var directives: [Directive]
    /// What it selects; never empty when parsed.
    public var selections: [Selection]
    /// Where the three dots are.
    public var location: Location

    /// Makes a fragment in place.
    public init(
        typeCondition: Name? = nil, directives: [Directive] = [], selections: [Selection],
        location: Location = .none
    ) {
        self.typeCondition = typeCondition
        self.directives = directives
        self.selections = selections
        self.location = location
    }
}
