// The rules about selections: fields, leaves, and fragments where they are used.
extension DocumentValidator {
    /// Checks a selection and notes what later rules need.
    ///
    /// Recurses once for each pair of braces.
    ///
    /// - Parameters:
    ///   - selections: The fields, spreads and inline fragments between the braces.
    ///   - parent: The type on which is selected; `nil` when it is unknown.
    ///   - facts: Takes in what the definition uses.
    /// - Returns: The index of the selection in the graph.
    mutating func visit(_ selections: [Selection], in parent: SchemaType?, _ facts: inout DefinitionFacts) -> Int {
        var entries: [SelectionGraph.Entry] = []
        entries.reserveCapacity(selections.count)
        for selection in selections {
            switch selection {
            case .field(let field):
                if let index = visit(field, in: parent, &facts) { entries.append(.field(index)) }
            case .spread(let spread):
                rules.check(spread.directives, on: .fragmentSpread)
                if let index = checkSpread(spread, in: parent) {
                    facts.addSpread(index)
                    entries.append(.fragment(index))
                }
            case .inlineFragment(let fragment):
                rules.check(fragment.directives, on: .inlineFragment)
                var type = parent
                if let condition = fragment.typeCondition {
                    type = compositeType(condition)
                    checkCanApply("the fragment", type, in: parent, at: fragment.location)
                }
                entries.append(.set(visit(fragment.selections, in: type, &facts)))
            }
        }
        return self.selections.add(entries)
    }

    private mutating func visit(
        _ field: FieldSelection, in parent: SchemaType?, _ facts: inout DefinitionFacts
    ) -> Int? {
        rules.check(field.directives, on: .field)
        guard let parent else {
            for argument in field.arguments { rules.checkUntyped(argument.value) }
            _ = visit(field.selections, in: nil, &facts)
            return nil
        }
        let definition = schema.field(field.name.text, of: parent)
        if let definition {
            rules.check(
                field.arguments, as: definition.arguments, at: field.name.location,
                owner: "the field \"\(parent.name).\(field.name)\"")
        } else {
            reportUnknown(field, in: parent)
            for argument in field.arguments { rules.checkUntyped(argument.value) }
        }
        let type = definition.flatMap { schema.type($0.type.name.text) }
        if let definition, let type { checkLeaf(field, definition, type) }
        let composite = type.flatMap { $0.kind.isComposite ? $0 : nil }
        let set = field.selections.isEmpty ? nil : visit(field.selections, in: composite, &facts)
        return selections.add(
            SelectionGraph.Field(
                selection: field, parent: parent, type: definition?.type,
                isComposite: type?.kind.isComposite ?? true, set: set))
    }

    private mutating func reportUnknown(_ field: FieldSelection, in parent: SchemaType) {
        let name = field.name.text
        let schema = schema
        rules.problems.add(
            .fieldsOnCorrectType, at: field.name.location,
            message: "the type \"\(parent.name)\" has no field \"\(name)\"",
            hint: Suggestions.hint(for: name, among: parent.fields.lazy.map(\.name.text))
                ?? Self.inlineFragmentHint(name, parent, schema)
                ?? Suggestions.list(of: parent.fields.lazy.map(\.name.text)) ?? "Select a field that it has.")
    }

    /// Suggests to select on one of the types that have a field.
    private static func inlineFragmentHint(_ field: String, _ parent: SchemaType, _ schema: GraphQLSchema) -> String? {
        let owner = parent.possibleTypeNames.first { schema.type($0)?.field(field) != nil }
        guard parent.kind.isAbstract, let owner else { return nil }
        return "\"\(owner)\" has it; select it in \"... on \(owner) { \(field) }\"."
    }

    private mutating func checkLeaf(_ field: FieldSelection, _ definition: FieldDefinition, _ type: SchemaType) {
        if type.kind.isComposite, field.selections.isEmpty {
            rules.problems.add(
                .leafSelections, at: field.name.location,
                message: "nothing is selected of the field \"\(field.name)\" of type \"\(definition.type)\"",
                hint: "Write \"\(field.name) { ... }\".")
        } else if type.kind.isLeaf, let first = field.selections.first {
            rules.problems.add(
                .leafSelections, at: first.location,
                message: "nothing can be selected of the field \"\(field.name)\" of type \"\(definition.type)\"",
                hint: "Remove the braces.")
        }
    }

    // MARK: - Fragments

    /// The type of a type condition; reports when there is none on which can be selected.
    mutating func compositeType(_ name: Name) -> SchemaType? {
        guard let type = schema.type(name.text) else {
            let schema = schema
            rules.problems.add(
                .knownTypeNames, at: name.location, message: "the type \"\(name)\" does not exist",
                hint: Suggestions.hint(
                    for: name.text, among: schema.types.filter(\.kind.isComposite).map(\.name))
                    ?? "Name an object, interface or union of the schema.")
            return nil
        }
        guard type.kind.isComposite else {
            rules.problems.add(
                .fragmentsOnCompositeTypes, at: name.location,
                message: "a fragment cannot select on \"\(name)\", which is \(type.kind.phrase)",
                hint: "Fragments select on objects, interfaces and unions.")
            return nil
        }
        return type
    }

    private mutating func checkSpread(_ spread: FragmentSpread, in parent: SchemaType?) -> Int? {
        guard let index = fragmentIndices[spread.name.text] else {
            let names = fragments.lazy.map(\.name.text)
            rules.problems.add(
                .knownFragmentNames, at: spread.name.location,
                message: "the fragment \"\(spread.name)\" does not exist",
                hint: Suggestions.hint(for: spread.name.text, among: names) ?? "Define it, or remove its use.")
            return nil
        }
        if let type = schema.type(fragments[index].typeCondition.text), type.kind.isComposite {
            checkCanApply("the fragment \"\(spread.name)\"", type, in: parent, at: spread.location)
        }
        return index
    }

    private mutating func checkCanApply(
        _ what: @autoclosure () -> String, _ type: SchemaType?, in parent: SchemaType?, at location: Location
    ) {
        guard let type, let parent, !overlap(type, parent, at: location) else { return }
        rules.problems.add(
            .possibleFragmentSpreads, at: location,
            message: "\(what()) on \"\(type.name)\" can never apply to a value of type \"\(parent.name)\"",
            hint: "Remove it, or select on a type that \"\(parent.name)\" can be.")
    }

    private mutating func overlap(_ left: SchemaType, _ right: SchemaType, at location: Location) -> Bool {
        guard left.kind.isAbstract, right.kind.isAbstract else { return schema.overlap(left, right) }
        let key = left.name + " " + right.name
        if let known = knownOverlaps[key] { return known }
        guard take(min(left.possibleTypeNames.count, right.possibleTypeNames.count), at: location) else { return true }
        let result = schema.overlap(left, right)
        knownOverlaps[key] = result
        return result
    }
}
