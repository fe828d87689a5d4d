/// The six kinds of types that have names.
public enum TypeKind: String, Hashable, Sendable, CaseIterable {
    /// A leaf whose values the service defines.
    case scalar
    /// Fields with values.
    case object
    /// Fields that several objects have.
    case interface
    /// One of several objects.
    case union
    /// A leaf with a list of values.
    case `enum`
    /// Fields with values, for arguments.
    case inputObject

    /// The word with which a definition of this kind starts.
    public var keyword: String {
        switch self {
        case .object: "type"
        case .inputObject: "input"
        default: rawValue
        }
    }

    /// Whether arguments, input fields and variables can have types of this kind.
    public var isInput: Bool { self == .scalar || self == .enum || self == .inputObject }

    /// Whether fields can have types of this kind.
    public var isOutput: Bool { self != .inputObject }

    /// Whether something must be selected of values of this kind.
    public var isComposite: Bool { self == .object || self == .interface || self == .union }

    /// Whether values of this kind have no fields.
    public var isLeaf: Bool { self == .scalar || self == .enum }

    /// Whether values of this kind are of one of several objects.
    public var isAbstract: Bool { self == .interface || self == .union }
}

extension TypeKind {
    /// How messages call a type of this kind, with an article.
    var phrase: String {
        switch self {
        case .scalar: "a scalar"
        case .object: "an object"
        case .interface: "an interface"
        case .union: "a union"
        case .enum: "an enum"
        case .inputObject: "an input object"
        }
    }
}

/// What a type consists of, by kind.
public enum TypeBody: Hashable, Sendable {
    /// A leaf whose values the service defines.
    case scalar
    /// Implemented interfaces and fields.
    case object(interfaces: [Name], fields: [FieldDefinition])
    /// Implemented interfaces and fields.
    case interface(interfaces: [Name], fields: [FieldDefinition])
    /// The objects of which a value is one.
    case union([Name])
    /// The values.
    case `enum`([EnumValueDefinition])
    /// The fields.
    case inputObject([InputValueDefinition])
}

/// A type or, as part of ``Definition/typeExtension(_:)``, what is added to one.
public struct TypeDefinition: Hashable, Sendable {
    /// What the author says of it; never of an extension.
    public var description: String?
    /// Its name.
    public var name: Name
    /// The directives on it.
    public var directives: [Directive]
    /// What it consists of; lists can be empty where the source has none.
    public var body: TypeBody
    /// Where the keyword is, after the description.
    public var location: Location

    /// Makes a type.
    public init(
        description: String? = nil, name: Name, directives: [Directive] = [], body: TypeBody,
        location: Location = .none
    ) {
        self.description = description
        self.name = name
        self.directives = directives
        self.body = body
        self.location = location
    }

    /// The kind of the type.
    public var kind: TypeKind {
        switch body {
        case .scalar: .scalar
        case .object: .object
        case .interface: .interface
        case .union: .union
        case .enum: .enum
        case .inputObject: .inputObject
        }
    }

    /// The interfaces of an object or interface; empty for other kinds.
    public var interfaces: [Name] {
        switch body {
        case .object(let interfaces, _), .interface(let interfaces, _): interfaces
        default: []
        }
    }

    /// The fields of an object or interface; empty for other kinds.
    public var fields: [FieldDefinition] {
        switch body {
        case .object(_, let fields), .interface(_, let fields): fields
        default: []
        }
    }

    /// The members of a union; empty for other kinds.
    public var members: [Name] {
        if case .union(let members) = body { members } else { [] }
    }

    /// The values of an enum; empty for other kinds.
    public var values: [EnumValueDefinition] {
        if case .enum(let values) = body { values } else { [] }
    }

    /// The fields of an input object; empty for other kinds.
    public var inputFields: [InputValueDefinition] {
        if case .inputObject(let fields) = body { fields } else { [] }
    }

    /// The first use of a directive on the type, if there is one.
    public func directive(_ name: String) -> Directive? {
        directives.first { $0.name.text == name }
    }
}
