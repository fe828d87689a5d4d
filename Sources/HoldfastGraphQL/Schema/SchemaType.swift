/// A type of a schema with everything its extensions add, and its members by name.
public final class SchemaType: Sendable {
    /// The definition, extensions included.
    public let definition: TypeDefinition
    /// Whether the specification defines the type.
    public let isBuiltIn: Bool
    /// The name.
    public let name: String
    /// The kind.
    public let kind: TypeKind
    /// The fields of an object or interface; empty for other kinds.
    public let fields: [FieldDefinition]
    /// The fields of an input object; empty for other kinds.
    public let inputFields: [InputValueDefinition]
    /// Whether exactly one of the fields of this input object must be given.
    public let isOneOf: Bool
    /// The objects that values of this type can be, in the order of the source; an object's own name alone.
    public let possibleTypeNames: [String]

    /// The same as a set, for types that can be several objects.
    let possibleTypeSet: Set<String>
    /// The names of the interfaces that the type declares.
    let interfaceNames: Set<String>
    /// Indices of fields, input fields or values by name, the first of each name.
    private let memberIndices: [String: Int]

    init(definition: TypeDefinition, isBuiltIn: Bool, possibleTypeNames: [String]) {
        self.definition = definition
        self.isBuiltIn = isBuiltIn
        self.possibleTypeNames = possibleTypeNames
        name = definition.name.text
        kind = definition.kind
        fields = definition.fields
        inputFields = definition.inputFields
        isOneOf = definition.kind == .inputObject && definition.directive("oneOf") != nil
        possibleTypeSet = definition.kind.isAbstract ? Set(possibleTypeNames) : []
        interfaceNames = Set(definition.interfaces.map(\.text))
        let names: [String] =
            switch definition.body {
            case .object(_, let fields), .interface(_, let fields): fields.map(\.name.text)
            case .enum(let values): values.map(\.name.text)
            case .inputObject(let fields): fields.map(\.name.text)
            case .scalar, .union: []
            }
        memberIndices = Dictionary(zip(names, names.indices)) { first, _ in first }
    }

    /// The field of an object or interface.
    ///
    /// - Complexity: O(1).
    public func field(_ name: String) -> FieldDefinition? {
        guard let index = memberIndices[name], index < fields.count else { return nil }
        return fields[index]
    }

    /// The field of an input object.
    ///
    /// - Complexity: O(1).
    public func inputField(_ name: String) -> InputValueDefinition? {
        guard let index = memberIndices[name], index < inputFields.count else { return nil }
        return inputFields[index]
    }

    /// Whether an enum has a value.
    ///
    /// - Complexity: O(1).
    public func hasValue(_ name: String) -> Bool {
        kind == .enum && memberIndices[name] != nil
    }
}
