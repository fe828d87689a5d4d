/// The rule of the specification that a document or schema breaks.
///
/// The raw value is stable. Rules may be added.
public struct GraphQLRule: RawRepresentable, Hashable, Sendable {
    /// The stable name of the rule.
    public let rawValue: String

    /// Makes a rule from its stable name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension GraphQLRule: CustomStringConvertible {
    /// The stable name.
    public var description: String { rawValue }
}

// MARK: - Both

extension GraphQLRule {
    /// There were more problems than are reported, or a document needs more work to check than it may.
    public static let limits = GraphQLRule("limits")
    /// A request has only definitions that can be executed, and a schema has only those of the type system.
    public static let executableDefinitions = GraphQLRule("executableDefinitions")
    /// Types that are named exist.
    public static let knownTypeNames = GraphQLRule("knownTypeNames")
    /// Arguments that are given exist.
    public static let knownArgumentNames = GraphQLRule("knownArgumentNames")
    /// An argument is given once.
    public static let uniqueArgumentNames = GraphQLRule("uniqueArgumentNames")
    /// Arguments without default that cannot be null are given.
    public static let requiredArguments = GraphQLRule("requiredArguments")
    /// Values fit their types.
    public static let valuesOfCorrectType = GraphQLRule("valuesOfCorrectType")
    /// Input fields that are given exist.
    public static let knownInputFieldNames = GraphQLRule("knownInputFieldNames")
    /// An input field is given once.
    public static let uniqueInputFieldNames = GraphQLRule("uniqueInputFieldNames")
    /// Input fields without default that cannot be null are given.
    public static let requiredInputFields = GraphQLRule("requiredInputFields")
    /// Of the fields of a `@oneOf` input object exactly one is given, and is not null.
    public static let oneOfInputObjects = GraphQLRule("oneOfInputObjects")
    /// Directives that are applied exist.
    public static let knownDirectives = GraphQLRule("knownDirectives")
    /// Directives are used only where their definitions allow it.
    public static let directiveLocations = GraphQLRule("directiveLocations")
    /// A directive that is not repeatable is used only once in a place.
    public static let uniqueDirectives = GraphQLRule("uniqueDirectives")
}

// MARK: - Documents

extension GraphQLRule {
    /// Operations have different names.
    public static let uniqueOperationNames = GraphQLRule("uniqueOperationNames")
    /// An operation without name is the only one.
    public static let loneAnonymousOperation = GraphQLRule("loneAnonymousOperation")
    /// The schema has the root type of each operation.
    public static let operationTypes = GraphQLRule("operationTypes")
    /// A subscription selects one field, which depends on no variable.
    public static let singleRootField = GraphQLRule("singleRootField")
    /// Fields that are selected exist.
    public static let fieldsOnCorrectType = GraphQLRule("fieldsOnCorrectType")
    /// Fields with the same response name can be merged.
    public static let fieldsCanBeMerged = GraphQLRule("fieldsCanBeMerged")
    /// Something is selected of composite values, nothing of leaves.
    public static let leafSelections = GraphQLRule("leafSelections")
    /// Fragments have different names.
    public static let uniqueFragmentNames = GraphQLRule("uniqueFragmentNames")
    /// Fragments select on objects, interfaces and unions.
    public static let fragmentsOnCompositeTypes = GraphQLRule("fragmentsOnCompositeTypes")
    /// Every fragment is used.
    public static let unusedFragments = GraphQLRule("unusedFragments")
    /// Fragments that are used exist.
    public static let knownFragmentNames = GraphQLRule("knownFragmentNames")
    /// Fragments do not contain themselves.
    public static let fragmentCycles = GraphQLRule("fragmentCycles")
    /// A fragment can apply where it is used.
    public static let possibleFragmentSpreads = GraphQLRule("possibleFragmentSpreads")
    /// Variables of an operation have different names.
    public static let uniqueVariableNames = GraphQLRule("uniqueVariableNames")
    /// Variables have input types.
    public static let variablesAreInputTypes = GraphQLRule("variablesAreInputTypes")
    /// Variables that are used are declared.
    public static let undefinedVariables = GraphQLRule("undefinedVariables")
    /// Variables that are declared are used.
    public static let unusedVariables = GraphQLRule("unusedVariables")
    /// The type of a variable fits each place where it is used.
    public static let variablePositions = GraphQLRule("variablePositions")
}

// MARK: - Schemas

extension GraphQLRule {
    /// There is one schema definition at most.
    public static let loneSchemaDefinition = GraphQLRule("loneSchemaDefinition")
    /// Each kind of operation has one root type, an object that no other kind has; query has one always.
    public static let rootTypes = GraphQLRule("rootTypes")
    /// Types have different names.
    public static let uniqueTypeNames = GraphQLRule("uniqueTypeNames")
    /// Directives have different names.
    public static let uniqueDirectiveNames = GraphQLRule("uniqueDirectiveNames")
    /// Fields of a type have different names.
    public static let uniqueFieldNames = GraphQLRule("uniqueFieldNames")
    /// Values of an enum have different names.
    public static let uniqueEnumValueNames = GraphQLRule("uniqueEnumValueNames")
    /// Arguments of a field or directive have different names.
    public static let uniqueArgumentDefinitionNames = GraphQLRule("uniqueArgumentDefinitionNames")
    /// Names that start with two underscores belong to introspection, those of built-in scalars to these.
    public static let reservedNames = GraphQLRule("reservedNames")
    /// What is extended exists and is of the same kind.
    public static let possibleTypeExtensions = GraphQLRule("possibleTypeExtensions")
    /// Types other than scalars have at least one member.
    public static let emptyTypes = GraphQLRule("emptyTypes")
    /// Fields have output types; arguments and input fields have input types.
    public static let typePositions = GraphQLRule("typePositions")
    /// A type that implements an interface has its fields and interfaces.
    public static let interfaceImplementations = GraphQLRule("interfaceImplementations")
    /// Members of a union are different objects.
    public static let unionMembers = GraphQLRule("unionMembers")
    /// An input object does not need itself, and no default value contains itself.
    public static let inputObjectCycles = GraphQLRule("inputObjectCycles")
    /// Input fields and arguments that must be given are not deprecated.
    public static let requiredDeprecations = GraphQLRule("requiredDeprecations")
    /// A directive is not applied within its own definition.
    public static let directiveCycles = GraphQLRule("directiveCycles")
}
