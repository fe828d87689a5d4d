/// A place where a variable is used.
struct VariableUse {
    let name: String
    let location: Location
    /// The type of the place; `nil` when it is unknown or takes anything.
    let type: TypeReference?
    /// Whether the place has a value when the variable has none.
    let hasDefault: Bool
    /// Whether the place is a field of a `@oneOf` input object.
    let isOneOf: Bool
}

/// The rules about values, arguments and applied directives, which schemas and documents share.
struct InputRules {
    let schema: GraphQLSchema
    var problems: ProblemList
    /// The uses of variables that were passed.
    var variableUses: [VariableUse] = []

    init(schema: GraphQLSchema, problems: ProblemList) {
        self.schema = schema
        self.problems = problems
    }

    // MARK: - Directives

    /// Checks the directives on one place.
    mutating func check(_ directives: [Directive], on location: DirectiveLocation) {
        guard !directives.isEmpty else { return }
        var seen: Set<String> = []
        for directive in directives {
            let name = directive.name.text
            guard let definition = schema.directive(name) else {
                problems.add(
                    .knownDirectives, at: directive.location, message: "the directive \"@\(name)\" does not exist",
                    hint: Suggestions.hint(
                        for: name, among: schema.directives.lazy.map(\.name.text), prefix: "@")
                        ?? "Remove it, or define it in the schema.")
                for argument in directive.arguments { checkUntyped(argument.value) }
                continue
            }
            if !definition.locations.contains(location) {
                problems.add(
                    .directiveLocations, at: directive.location,
                    message: "the directive \"@\(name)\" cannot be used on \(location.rawValue)",
                    hint: "It can be used on \(definition.locations.map(\.rawValue).joined(separator: ", ")).")
            }
            if !definition.isRepeatable, !seen.insert(name).inserted {
                problems.add(
                    .uniqueDirectives, at: directive.location,
                    message: "the directive \"@\(name)\" is used twice in one place", hint: "Remove one of them.")
            }
            check(
                directive.arguments, as: definition.arguments, at: directive.location,
                owner: "the directive \"@\(name)\"")
        }
    }

    // MARK: - Arguments

    /// Checks the arguments that are given to a field or directive.
    mutating func check(
        _ arguments: [Argument], as definitions: [InputValueDefinition], at location: Location,
        owner: @autoclosure () -> String
    ) {
        var given: Set<String> = []
        for argument in arguments {
            let name = argument.name.text
            if !given.insert(name).inserted {
                problems.add(
                    .uniqueArgumentNames, at: argument.name.location,
                    message: "the argument \"\(name)\" is given twice", hint: "Remove one of them.")
            }
            guard let definition = definitions.first(where: { $0.name.text == name }) else {
                problems.add(
                    .knownArgumentNames, at: argument.name.location,
                    message: "\(owner()) has no argument \"\(name)\"",
                    hint: Self.hint(for: name, among: definitions))
                checkUntyped(argument.value)
                continue
            }
            check(argument.value, as: definition.type, hasDefault: definition.defaultValue != nil)
        }
        for definition in definitions where definition.isRequired && !given.contains(definition.name.text) {
            problems.add(
                .requiredArguments, at: location,
                message: "\(owner()) needs the argument \"\(definition.name)\" of type \"\(definition.type)\"",
                hint: "Add \"\(definition.name): ...\".")
        }
    }

    /// Names what could have been given.
    private static func hint(for name: String, among definitions: [InputValueDefinition]) -> String {
        let names = definitions.lazy.map(\.name.text)
        return Suggestions.hint(for: name, among: names) ?? Suggestions.list(of: names) ?? "Remove it."
    }

    // MARK: - Values

    /// Checks a value against the type of its place.
    mutating func check(
        _ value: GraphQLValue, as type: TypeReference, hasDefault: Bool = false, isOneOf: Bool = false
    ) {
        switch value.content {
        case .variable(let name):
            variableUses.append(
                VariableUse(
                    name: name, location: value.location, type: type, hasDefault: hasDefault, isOneOf: isOneOf))
            return
        case .null:
            if type.isNonNull { mismatch(value, type, hint: "Null is not a value of a type with \"!\".") }
            return
        default: break
        }
        if let element = type.element {
            guard case .list(let values) = value.content else { return check(value, as: element) }
            for value in values { check(value, as: element) }
            return
        }
        guard let named = schema.type(type.name.text), named.kind.isInput else { return checkUntyped(value) }
        switch named.kind {
        case .inputObject: checkObject(value, named, type)
        case .enum: checkEnum(value, named, type)
        default: checkScalar(value, named, type)
        }
    }

    /// Checks what is wrong in a value of any type, and notes its variables.
    mutating func checkUntyped(_ value: GraphQLValue) {
        switch value.content {
        case .variable(let name):
            variableUses.append(
                VariableUse(name: name, location: value.location, type: nil, hasDefault: false, isOneOf: false))
        case .list(let values):
            for value in values { checkUntyped(value) }
        case .object(let fields):
            var given: Set<String> = []
            for field in fields {
                checkUnique(field, &given)
                checkUntyped(field.value)
            }
        default: break
        }
    }

    private mutating func checkUnique(_ field: ObjectField, _ given: inout Set<String>) {
        guard !given.insert(field.name.text).inserted else { return }
        problems.add(
            .uniqueInputFieldNames, at: field.name.location,
            message: "the input field \"\(field.name)\" is given twice", hint: "Remove one of them.")
    }

    private mutating func checkObject(_ value: GraphQLValue, _ type: SchemaType, _ reference: TypeReference) {
        guard case .object(let fields) = value.content else {
            return mismatch(value, reference, hint: "Write its fields between braces.")
        }
        var given: Set<String> = []
        for field in fields {
            let name = field.name.text
            checkUnique(field, &given)
            guard let definition = type.inputField(name) else {
                problems.add(
                    .knownInputFieldNames, at: field.name.location,
                    message: "the input type \"\(type.name)\" has no field \"\(name)\"",
                    hint: Self.hint(for: name, among: type.inputFields))
                checkUntyped(field.value)
                continue
            }
            check(
                field.value, as: definition.type, hasDefault: definition.defaultValue != nil, isOneOf: type.isOneOf)
        }
        for definition in type.inputFields where definition.isRequired && !given.contains(definition.name.text) {
            problems.add(
                .requiredInputFields, at: value.location,
                message: "the input type \"\(type.name)\" needs the field \"\(definition.name)\""
                    + " of type \"\(definition.type)\"",
                hint: "Add \"\(definition.name): ...\".")
        }
        guard type.isOneOf else { return }
        if given.count != 1 {
            problems.add(
                .oneOfInputObjects, at: value.location,
                message: "\(given.count) fields are given for \"\(type.name)\", which takes exactly one",
                hint: "Give one of them.")
        } else if let field = fields.first, field.value.content == .null {
            problems.add(
                .oneOfInputObjects, at: field.value.location,
                message: "the field \"\(field.name)\" of \"\(type.name)\" must not be null",
                hint: "Give the field a value.")
        }
    }

    private mutating func checkEnum(_ value: GraphQLValue, _ type: SchemaType, _ reference: TypeReference) {
        let names = type.definition.values.lazy.map(\.name.text)
        switch value.content {
        case .enumeration(let name):
            guard !type.hasValue(name) else { return }
            problems.add(
                .valuesOfCorrectType, at: value.location,
                message: "the enum \"\(type.name)\" has no value \"\(name)\"",
                hint: Suggestions.hint(for: name, among: names) ?? Suggestions.list(of: names)
                    ?? "Use one of its values.")
        case .string(let text) where type.hasValue(text):
            mismatch(value, reference, hint: "Write \(text) without quotation marks.")
        default: mismatch(value, reference, hint: "Values of enums are bare names.")
        }
    }

    private mutating func checkScalar(_ value: GraphQLValue, _ type: SchemaType, _ reference: TypeReference) {
        switch (type.name, value.content) {
        case ("Int", .int(let digits)):
            if Int32(digits) == nil { mismatch(value, reference, hint: "An Int has 32 bits.") }
        case ("Float", .int(let digits)), ("Float", .float(let digits)):
            if Double(digits)?.isFinite != true { mismatch(value, reference, hint: "The number is too large.") }
        case ("String", .string), ("Boolean", .boolean), ("ID", .string), ("ID", .int): return
        case ("String", .enumeration), ("String", .int), ("String", .float), ("ID", .enumeration):
            mismatch(value, reference, hint: "Write the value between quotation marks.")
        case ("Int", .string(let text)) where Int32(text) != nil:
            mismatch(value, reference, hint: "Write \(text) without quotation marks.")
        case ("Boolean", .string), ("Boolean", .enumeration), ("Boolean", .int):
            mismatch(value, reference, hint: "Write true or false.")
        case ("Int", _): mismatch(value, reference, hint: "Write a whole number.")
        case ("Float", _): mismatch(value, reference, hint: "Write a number.")
        case ("String", _): mismatch(value, reference, hint: "Write a text between quotation marks.")
        case ("Boolean", _): mismatch(value, reference, hint: "Write true or false.")
        case ("ID", _): mismatch(value, reference, hint: "Write a text between quotation marks, or a whole number.")
        default: checkUntyped(value)
        }
    }

    private mutating func mismatch(_ value: GraphQLValue, _ type: TypeReference, hint: @autoclosure () -> String) {
        problems.add(
            .valuesOfCorrectType, at: value.location,
            message: "\(Self.excerpt(of: value)) is not a value of type \"\(type)\"", hint: hint())
    }

    /// The value as messages show it; of long ones only what it is.
    private static func excerpt(of value: GraphQLValue) -> String {
        switch value.content {
        case .list: "a list"
        case .object: "an object"
        case .string(let text) where text.utf8.count > 60: "a string of \(text.utf8.count) bytes"
        case .int(let text), .float(let text), .enumeration(let text):
            text.utf8.count > 60 ? "a text of \(text.utf8.count) bytes" : text
        default: value.printed()
        }
    }
}
