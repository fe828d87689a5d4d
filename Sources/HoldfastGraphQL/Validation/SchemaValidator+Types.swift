// The rules about types and their members.
extension SchemaValidator {
    mutating func check(_ type: SchemaType) {
        let definition = type.definition
        checkReserved(definition.name, "the type")
        rules.check(definition.directives, on: location(of: type.kind))
        switch type.kind {
        case .scalar: break
        case .object, .interface:
            checkFields(of: type)
            checkInterfaces(of: type)
        case .union: checkMembers(of: type)
        case .enum: checkValues(of: type)
        case .inputObject: checkInputFields(of: type)
        }
    }

    /// Checks the arguments that a field or directive declares.
    mutating func check(arguments: [InputValueDefinition], of owner: @autoclosure () -> String) {
        guard !arguments.isEmpty else { return }
        checkUnique(arguments.lazy.map(\.name), .uniqueArgumentDefinitionNames, "argument")
        for argument in arguments {
            checkReserved(argument.name, "the argument")
            checkInputValue(argument, "the argument \"\(argument.name)\" of \(owner())")
            rules.check(argument.directives, on: .argumentDefinition)
        }
    }

    private func location(of kind: TypeKind) -> DirectiveLocation {
        switch kind {
        case .scalar: .scalar
        case .object: .object
        case .interface: .interface
        case .union: .union
        case .enum: .enum
        case .inputObject: .inputObject
        }
    }

    private mutating func checkNotEmpty(_ type: SchemaType, _ isEmpty: Bool, _ members: String) {
        guard isEmpty else { return }
        rules.problems.add(
            .emptyTypes, at: type.definition.name.location,
            message: "the \(type.kind.keyword) \"\(type.name)\" has no \(members)", hint: "It needs at least one.")
    }

    private mutating func checkFields(of type: SchemaType) {
        checkNotEmpty(type, type.fields.isEmpty, "fields")
        checkUnique(type.fields.lazy.map(\.name), .uniqueFieldNames, "field")
        for field in type.fields {
            checkReserved(field.name, "the field")
            if let target = resolve(field.type.name, { $0.isOutput }), !target.kind.isOutput {
                rules.problems.add(
                    .typePositions, at: field.type.name.location,
                    message: "the field \"\(type.name).\(field.name)\" has the input type \"\(field.type)\"",
                    hint: "Input objects are for arguments; use an object.")
            }
            check(arguments: field.arguments, of: "the field \"\(type.name).\(field.name)\"")
            rules.check(field.directives, on: .fieldDefinition)
        }
    }

    private mutating func checkMembers(of type: SchemaType) {
        let members = type.definition.members
        checkNotEmpty(type, members.isEmpty, "members")
        checkUnique(members, .unionMembers, "member")
        for member in members {
            guard let target = resolve(member, { $0 == .object }), target.kind != .object else { continue }
            rules.problems.add(
                .unionMembers, at: member.location,
                message: "the member \"\(member)\" of \"\(type.name)\" is \(target.kind.phrase)",
                hint: "Members of unions are objects.")
        }
    }

    private mutating func checkValues(of type: SchemaType) {
        let values = type.definition.values
        checkNotEmpty(type, values.isEmpty, "values")
        checkUnique(values.lazy.map(\.name), .uniqueEnumValueNames, "value")
        for value in values {
            checkReserved(value.name, "the value")
            rules.check(value.directives, on: .enumValue)
        }
    }

    private mutating func checkInputFields(of type: SchemaType) {
        checkNotEmpty(type, type.inputFields.isEmpty, "fields")
        checkUnique(type.inputFields.lazy.map(\.name), .uniqueFieldNames, "field")
        for field in type.inputFields {
            checkReserved(field.name, "the field")
            checkInputValue(field, "the field \"\(type.name).\(field.name)\"")
            rules.check(field.directives, on: .inputFieldDefinition)
            guard type.isOneOf else { continue }
            if field.type.isNonNull {
                rules.problems.add(
                    .oneOfInputObjects, at: field.type.name.location,
                    message: "the field \"\(type.name).\(field.name)\" of a \"@oneOf\" type is required",
                    hint: "Remove the last \"!\".")
            }
            if let value = field.defaultValue {
                rules.problems.add(
                    .oneOfInputObjects, at: value.location,
                    message: "the field \"\(type.name).\(field.name)\" of a \"@oneOf\" type has a default value",
                    hint: "Remove the default value.")
            }
        }
    }

    /// Checks type, default value and deprecation of an argument or input field.
    private mutating func checkInputValue(_ value: InputValueDefinition, _ what: @autoclosure () -> String) {
        if let target = resolve(value.type.name, { $0.isInput }), !target.kind.isInput {
            rules.problems.add(
                .typePositions, at: value.type.name.location,
                message: "\(what()) has the output type \"\(value.type)\"",
                hint: "Arguments and input fields take scalars, enums and input objects.")
        }
        if let defaultValue = value.defaultValue { rules.check(defaultValue, as: value.type) }
        if value.isRequired, let directive = value.directive("deprecated") {
            rules.problems.add(
                .requiredDeprecations, at: directive.location, message: "\(what()) is required and deprecated",
                hint: "Make it nullable or give it a default value first.")
        }
    }
}
