/// Checks a document against a schema and the rules of the specification for requests.
///
/// Each definition is scanned once. What concerns several of them is noted on the way and checked afterwards, without
/// recursion and within a number of steps.
struct DocumentValidator {
    let schema: GraphQLSchema
    let document: GraphQLDocument
    var rules: InputRules
    /// The steps that are left for rules that follow fragments.
    var steps: Int

    private(set) var operations: [OperationDefinition] = []
    private(set) var fragments: [FragmentDefinition] = []
    /// The first fragment of each name.
    private(set) var fragmentIndices: [String: Int] = [:]
    /// What was noted of each operation, then of each fragment.
    var operationFacts: [DefinitionFacts] = []
    var fragmentFacts: [DefinitionFacts] = []
    /// Whether an operation uses each fragment.
    var isUsed: [Bool] = []
    /// The selections of the document with their types.
    var selections = SelectionGraph()
    /// Whether two types can be the same object, for those that were asked before.
    var knownOverlaps: [String: Bool] = [:]

    init(_ document: GraphQLDocument, _ schema: GraphQLSchema, _ limits: ValidationLimits) {
        self.schema = schema
        self.document = document
        rules = InputRules(schema: schema, problems: ProblemList(limits))
        steps = limits.stepCount
    }

    /// What was found so far.
    var problems: ProblemList { rules.problems }

    mutating func validate() {
        collectDefinitions()
        checkOperationNames()
        for operation in operations { operationFacts.append(facts(of: operation)) }
        for fragment in fragments { fragmentFacts.append(facts(of: fragment)) }
        checkFragmentCycles()
        checkUses()
        for operation in operations where operation.kind == .subscription { checkSingleRootField(of: operation) }
        checkMerging()
    }

    private mutating func collectDefinitions() {
        for definition in document.definitions {
            switch definition {
            case .operation(let operation): operations.append(operation)
            case .fragment(let fragment):
                if let first = fragmentIndices[fragment.name.text] {
                    rules.problems.addSecond(
                        "fragment \"\(fragment.name)\"", fragment.name, .uniqueFragmentNames,
                        first: fragments[first].name.location)
                } else {
                    fragmentIndices[fragment.name.text] = fragments.count
                }
                fragments.append(fragment)
            default:
                rules.problems.add(
                    .executableDefinitions, at: definition.location,
                    message: "a definition of the type system is not allowed in a request",
                    hint: "Move it to the schema.")
            }
        }
    }

    private mutating func facts(of operation: OperationDefinition) -> DefinitionFacts {
        let location: DirectiveLocation =
            switch operation.kind {
            case .query: .query
            case .mutation: .mutation
            case .subscription: .subscription
            }
        let root = schema.rootType(operation.kind)
        if root == nil {
            rules.problems.add(
                .operationTypes, at: operation.location,
                message: "the schema has no root type for a \(operation.kind.rawValue)",
                hint: "Remove the operation, or give the schema such a type.")
        }
        checkVariableDefinitions(of: operation)
        rules.variableUses = []
        rules.check(operation.directives, on: location)
        var facts = DefinitionFacts()
        facts.set = visit(operation.selections, in: root, &facts)
        facts.variableUses = rules.variableUses
        return facts
    }

    private mutating func facts(of fragment: FragmentDefinition) -> DefinitionFacts {
        rules.variableUses = []
        rules.check(fragment.directives, on: .fragmentDefinition)
        var facts = DefinitionFacts()
        facts.type = compositeType(fragment.typeCondition)
        facts.set = visit(fragment.selections, in: facts.type, &facts)
        facts.variableUses = rules.variableUses
        return facts
    }

    /// Takes steps and reports when they run out.
    ///
    /// - Returns: Whether there were enough.
    mutating func take(_ count: Int, at location: Location) -> Bool {
        guard steps >= 0 else { return false }
        steps -= count
        guard steps < 0 else { return true }
        rules.problems.add(
            .limits, at: location, message: "the document is too complex to check",
            hint: "Use fewer fragments within each other.")
        return false
    }
}

/// What a visit through an operation or fragment notes.
struct DefinitionFacts {
    /// The type on which a fragment selects, when it can.
    var type: SchemaType?
    /// The selection in the ``SelectionGraph``.
    var set = 0
    /// The fragments it uses, by index, each once.
    var spreads: [Int] = []
    /// The variables it uses.
    var variableUses: [VariableUse] = []

    private var seen: Set<Int> = []

    /// Notes the use of a fragment.
    mutating func addSpread(_ fragment: Int) {
        if seen.insert(fragment).inserted { spreads.append(fragment) }
    }
}

extension GraphQLSchema {
    /// All problems of a document as requests to a service with this schema, in the order of their places.
    ///
    /// - Parameters:
    ///   - document: Operations and fragments.
    ///   - limits: How many problems are reported, whether with hints, and after how many steps the check gives up.
    /// - Returns: Nothing when every operation of the document can be executed.
    /// - Complexity: O(n) in the size of the document for scanning it; rules that follow fragments from operation to
    ///   operation take at most as many steps as the limits allow.
    public func validate(
        _ document: GraphQLDocument, limits: ValidationLimits = ValidationLimits()
    ) -> [GraphQLProblem] {
        var validator = DocumentValidator(document, self, limits)
        validator.validate()
        return validator.problems.sorted()
    }
}
