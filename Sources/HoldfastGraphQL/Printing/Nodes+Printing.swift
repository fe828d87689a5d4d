extension GraphQLDocument: CustomStringConvertible {
    /// The document in canonical form; reading it gives an equal document, locations aside.
    public func printed() -> String {
        Printer.text { $0.document(self) }
    }

    /// The document in canonical form.
    public var description: String { printed() }
}

extension Definition {
    /// The definition in canonical form.
    public func printed() -> String {
        Printer.text { $0.definition(self) }
    }
}

extension GraphQLValue {
    /// The value in canonical form.
    public func printed() -> String {
        Printer.text { $0.value(self) }
    }
}

extension Directive {
    /// The directive in canonical form.
    public func printed() -> String {
        Printer.text { $0.directive(self) }
    }
}

extension Selection {
    /// The selection in canonical form.
    public func printed() -> String {
        Printer.text { $0.selection(self) }
    }
}

extension FieldDefinition {
    /// The field in canonical form, with its description.
    public func printed() -> String {
        Printer.text { $0.field(self) }
    }
}

extension InputValueDefinition {
    /// The input value in canonical form, with its description.
    public func printed() -> String {
        Printer.text { $0.inputValue(self) }
    }
}

extension EnumValueDefinition {
    /// The value in canonical form, with its description.
    public func printed() -> String {
        Printer.text { $0.enumValue(self) }
    }
}
