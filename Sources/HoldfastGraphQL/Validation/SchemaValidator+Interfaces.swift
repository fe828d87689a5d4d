// The rules about types that implement interfaces.
extension SchemaValidator {
    mutating func checkInterfaces(of type: SchemaType) {
        let names = type.definition.interfaces
        checkUnique(names, .interfaceImplementations, "interface")
        for name in names {
            guard let interface = resolve(name, { $0 == .interface }) else { continue }
            guard interface.kind == .interface else {
                report(
                    name.location, "\"\(type.name)\" implements \"\(name)\", which is \(interface.kind.phrase)",
                    hint: "Only interfaces are implemented; remove it.")
                continue
            }
            guard interface.name != type.name else {
                report(name.location, "the interface \"\(type.name)\" implements itself", hint: "Remove it.")
                continue
            }
            checkAncestors(of: interface, in: type, at: name.location)
            checkFields(of: interface, in: type, at: name.location)
        }
    }

    private mutating func checkAncestors(of interface: SchemaType, in type: SchemaType, at location: Location) {
        for ancestor in interface.definition.interfaces {
            if ancestor.text == type.name {
                report(
                    location, "the interfaces \"\(type.name)\" and \"\(interface.name)\" implement each other",
                    hint: "Remove one of the two.")
            } else if !type.interfaceNames.contains(ancestor.text) {
                report(
                    location,
                    "\"\(type.name)\" does not implement \"\(ancestor)\", as \"\(interface.name)\" does",
                    hint: "Add \"& \(ancestor)\".")
            }
        }
    }

    private mutating func checkFields(of interface: SchemaType, in type: SchemaType, at location: Location) {
        for expected in interface.fields {
            let path = "\(interface.name).\(expected.name)"
            guard let field = type.field(expected.name.text) else {
                report(
                    location,
                    "\"\(type.name)\" has no field \"\(expected.name)\" although it implements"
                        + " \"\(interface.name)\"",
                    hint: "Add \"\(expected.name): \(expected.type)\".")
                continue
            }
            if !schema.isSubtype(field.type, of: expected.type) {
                report(
                    field.type.name.location,
                    "the field \"\(type.name).\(field.name)\" has type \"\(field.type)\","
                        + " but \"\(path)\" requires \"\(expected.type)\"",
                    hint: "Give it the type \"\(expected.type)\".")
            }
            if let deprecation = field.directive("deprecated"), expected.directive("deprecated") == nil {
                report(
                    deprecation.location,
                    "the field \"\(type.name).\(field.name)\" is deprecated but \"\(path)\" is not",
                    hint: "Deprecate both or neither.")
            }
            checkArguments(of: expected, path, in: field, of: type)
        }
    }

    private mutating func checkArguments(
        of expected: FieldDefinition, _ path: String, in field: FieldDefinition, of type: SchemaType
    ) {
        for argument in expected.arguments {
            guard let own = field.argument(argument.name.text) else {
                report(
                    field.name.location,
                    "the field \"\(type.name).\(field.name)\" has no argument"
                        + " \"\(argument.name)\" as \"\(path)\" has",
                    hint: "Add \"\(argument.name): \(argument.type)\".")
                continue
            }
            if !own.type.isSame(as: argument.type) {
                report(
                    own.type.name.location,
                    "the argument \"\(argument.name)\" of \"\(type.name).\(field.name)\" has"
                        + " type \"\(own.type)\", that of \"\(path)\" has \"\(argument.type)\"",
                    hint: "Give it the type \"\(argument.type)\".")
            }
        }
        for argument in field.arguments where argument.isRequired && expected.argument(argument.name.text) == nil {
            report(
                argument.name.location,
                "the argument \"\(argument.name)\" of \"\(type.name).\(field.name)\" is"
                    + " required, but \"\(path)\" does not have it",
                hint: "Make it nullable or give it a default value.")
        }
    }

    private mutating func report(
        _ location: Location, _ message: @autoclosure () -> String, hint: @autoclosure () -> String
    ) {
        rules.problems.add(.interfaceImplementations, at: location, message: message(), hint: hint())
    }
}
