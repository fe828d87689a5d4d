import HoldfastGraphQL
import HoldfastStorage

/// Documents that were read and checked, by their text.
///
/// When it is full, all are forgotten: clients send the same few documents, so the cache is full only when something
/// makes new ones all the time.
final class DocumentCache: Sendable {
    /// A document that passed all checks against the API.
    final class Checked: Sendable {
        let operations: [OperationDefinition]
        let fragments: [String: FragmentDefinition]
        /// Whether what is selected may depend on variables.
        let hasDirectives: Bool
        // With the number of fields that further selections may have.
        private let selections: Mutex<(byKey: [SelectionKey: RecordSelection], fieldsLeft: Int)>

        /// Keeps a document.
        ///
        /// - Parameters:
        ///   - document: The document.
        ///   - fieldLimit: The fields of all selections that are kept with it.
        init(_ document: GraphQLDocument, fieldLimit: Int) {
            var operations: [OperationDefinition] = []
            var fragments: [String: FragmentDefinition] = [:]
            for definition in document.definitions {
                switch definition {
                case .operation(let operation): operations.append(operation)
                case .fragment(let fragment): fragments[fragment.name.text] = fragment
                default: break
                }
            }
            self.operations = operations
            self.fragments = fragments
            selections = Mutex((byKey: [:], fieldsLeft: fieldLimit))
            hasDirectives =
                operations.contains { $0.selections.contains(where: \.hasDirectives) }
                || fragments.values.contains { $0.selections.contains(where: \.hasDirectives) }
        }

        /// What was kept with ``keep(_:with:for:)``.
        func selection(for key: SelectionKey) -> RecordSelection? { selections.withLock { $0.byKey[key] } }

        /// Keeps a selection that is the same in each request, as long as there is room.
        ///
        /// Each operation may use all fragments, so that a document can select much more than its text shows.
        ///
        /// - Parameters:
        ///   - selection: The selection.
        ///   - fieldCount: How many fields it has, also inside objects.
        ///   - key: What it belongs to.
        func keep(_ selection: RecordSelection, with fieldCount: Int, for key: SelectionKey) {
            selections.withLock { selections in
                guard fieldCount <= selections.fieldsLeft, selections.byKey[key] == nil else { return }
                selections.byKey[key] = selection
                selections.fieldsLeft -= fieldCount
            }
        }
    }

    /// A field of the root type in an operation of a document.
    struct SelectionKey: Hashable, Sendable {
        var operation: String?
        /// The name in the response.
        var field: String
    }

    private let api: GraphQLSchema
    private let capacity: Int
    // By bytes, since texts that Unicode calls equal may say different things.
    private let documents = Mutex<(byText: [[UInt8]: Checked], byteCount: Int)>(([:], 0))
    /// Longer documents are not kept.
    private static let maximumByteCount = 32 << 10
    /// The bytes of all texts that are kept.
    private static let maximumTotalByteCount = 4 << 20

    init(api: GraphQLSchema, capacity: Int) {
        self.api = api
        self.capacity = capacity
    }

    /// The document of a text.
    ///
    /// - Throws: ``InvalidDocument`` if the text is not a document for the API.
    func document(_ text: String) throws(InvalidDocument) -> Checked {
        let bytes = Array(text.utf8)
        if let known = documents.withLock({ $0.byText[bytes] }) { return known }
        let document: GraphQLDocument
        do {
            document = try GraphQLDocument(parsing: Source(text), options: ParseOptions(limits: .request))
        } catch {
            throw InvalidDocument(faults: [(RequestFault(nil, "Validation error: \(error.message)"), error.location)])
        }
        let found = api.validate(document, limits: ValidationLimits(givesHints: false))
        // Few documents have a problem that asks for them.
        let conditions = found.contains { $0.rule == .variablePositions } ? document.conditions : []
        let problems = found.filter { problem in
            switch problem.rule {
            case .unusedVariables: false
            // Variables are coerced where they are used, so their declared types need not match exactly. Only directives
            // take them as they are.
            case .variablePositions: problem.location.map(conditions.contains) ?? true
            default: true
            }
        }
        guard problems.isEmpty else {
            throw InvalidDocument(
                faults: problems.map {
                    (RequestFault(nil, "Validation error of type \($0.rule.shownName): \($0.message)"), $0.location)
                })
        }
        // A field has two bytes at least: a text that uses no fragment twice selects no more.
        let checked = Checked(document, fieldLimit: bytes.count / 2)
        if bytes.count <= Self.maximumByteCount {
            documents.withLock { documents in
                if documents.byText.count >= capacity || documents.byteCount > Self.maximumTotalByteCount {
                    documents = ([:], 0)
                }
                documents.byText[bytes] = checked
                documents.byteCount += bytes.count
            }
        }
        return checked
    }
}

extension GraphQLDocument {
    /// Where the values of directives are that decide what is selected.
    fileprivate var conditions: Set<Location> {
        var locations: Set<Location> = []
        for definition in definitions {
            switch definition {
            case .operation(let operation): for selection in operation.selections { selection.add(to: &locations) }
            case .fragment(let fragment): for selection in fragment.selections { selection.add(to: &locations) }
            default: break
            }
        }
        return locations
    }
}

extension Selection {
    /// Adds the places of the values of its directives, and of those in it.
    fileprivate func add(to locations: inout Set<Location>) {
        for directive in directives { locations.formUnion(directive.arguments.map(\.value.location)) }
        switch self {
        case .field(let field): for selection in field.selections { selection.add(to: &locations) }
        case .inlineFragment(let fragment): for selection in fragment.selections { selection.add(to: &locations) }
        case .spread: break
        }
    }

    /// Whether it, or a selection in it, has directives.
    fileprivate var hasDirectives: Bool {
        if !directives.isEmpty { return true }
        switch self {
        case .field(let field): return field.selections.contains(where: \.hasDirectives)
        case .inlineFragment(let fragment): return fragment.selections.contains(where: \.hasDirectives)
        case .spread: return false
        }
    }
}

/// Why a text is not a request for the API.
struct InvalidDocument: Error {
    var faults: [(fault: RequestFault, location: Location?)]
}

extension GraphQLRule {
    /// The name of the rule in messages, as clients know it.
    fileprivate var shownName: String {
        switch self {
        case .fieldsOnCorrectType: "FieldUndefined"
        case .knownArgumentNames: "UnknownArgument"
        case .knownTypeNames: "UnknownType"
        case .valuesOfCorrectType: "WrongType"
        case .requiredArguments: "MissingFieldArgument"
        case .leafSelections: "SubSelectionRequired"
        case .variablePositions: "VariableTypeMismatch"
        default: description
        }
    }
}
