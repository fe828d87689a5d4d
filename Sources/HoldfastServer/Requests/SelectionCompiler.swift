import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// Makes selections of records from those of a document, for one identity.
struct SelectionCompiler {
    let schema: ServerSchema
    let collector: SelectionCollector
    let identity: Identity
    /// Whether fields with rules of their own are null without an error for those who may not read them.
    ///
    /// This is how mutations are answered in AppSync, whose clients drop such an answer if it has errors.
    let hidesProtectedFields: Bool
    /// Whether all that the rules do not let the identity read is null without an error.
    ///
    /// This is how events are in AppSync: its clients drop one that has errors, and all subscribers get null.
    var hidesUnreadable = false
    /// Counts all that the request selects.
    let meter: SelectionMeter

    private var coercion: InputCoercion { InputCoercion(api: schema.api) }

    /// What a field of the root type selects of a record; known after the first time if it is the same in each request.
    ///
    /// - Throws: As ``record(_:of:by:)``.
    func cachedRecord(
        _ field: SelectionCollector.Field, of model: ServerModel, in prepared: PreparedOperation,
        by actions: Set<ModelAccess.Action>
    ) throws(RequestFault) -> RecordSelection {
        guard !prepared.document.hasDirectives, !model.distinguishesFields(for: identity) else {
            return try record(field.selections, of: model, by: actions)
        }
        let key = DocumentCache.SelectionKey(operation: prepared.operation.name?.text, field: field.response)
        if let known = prepared.document.selection(for: key) { return known }
        let countBefore = meter.count
        let selection = try record(field.selections, of: model, by: actions)
        // A relation has arguments, and rights of its own.
        if selection.relations.isEmpty {
            prepared.document.keep(selection, with: meter.count - countBefore, for: key)
        }
        return selection
    }

    /// What is selected of the records of a model.
    ///
    /// - Parameters:
    ///   - selections: The fields.
    ///   - model: The model.
    ///   - actions: What the identity needs one of to be shown a field; any part of reading by default.
    /// - Returns: The members of each record, and the relations among them.
    /// - Throws: ``RequestFault`` if too much is selected, or an argument of a relation has a value of another type.
    func record(
        _ selections: [Selection], of model: ServerModel, by actions: Set<ModelAccess.Action> = ModelAccess.reading
    ) throws(RequestFault) -> RecordSelection {
        var entries: [RecordSelection.Entry] = []
        var relations: [SelectedRelation] = []
        try meter.enter()
        defer { meter.leave() }
        for field in try fields(of: selections, on: model.name) {
            let name = field.first.name.text
            if name == "__typename" {
                entries.append(.init(response: field.response, content: .typename))
            } else if let column = model.column(name) {
                let object = try object(field.selections, of: schema.api.type(column.reference.name.text))
                entries.append(
                    .init(
                        response: field.response,
                        content: .column(column, reading([name], of: model, by: actions), object)))
            } else if let relation = model.relations[name] {
                entries.append(.init(response: field.response, content: .relation(relations.count)))
                relations.append(try self.relation(relation, field, in: model, by: actions))
            }
        }
        return RecordSelection(model, entries: entries, relations: relations)
    }

    private func fields(
        of selections: [Selection], on type: String
    ) throws(RequestFault) -> [SelectionCollector.Field] {
        let (fields, count) = collector.fieldsWithCount(of: selections, on: type)
        try meter.take(count)
        return fields
    }

    /// A relation shows the fields that it goes through: those with rules of their own must be readable, too.
    ///
    /// Where they are not, the answer to a mutation has an error as well: clients would take null for a relation that
    /// was taken away.
    private func reading(
        _ relation: APIRelation, of model: ServerModel, by actions: Set<ModelAccess.Action>
    ) -> FieldReading {
        reading([relation.field] + model.ruled(relation.own, for: identity), of: model, by: actions)
    }

    /// Where all of some fields may be read, of which the first is shown.
    private func reading(
        _ fields: [String], of model: ServerModel, by actions: Set<ModelAccess.Action>
    ) -> FieldReading {
        guard model.distinguishesFields(for: identity) else { return .always }
        let isHidden =
            hidesUnreadable
            ? !fields.contains { identity.denies($0, of: model.name) }
            : hidesProtectedFields && model.access.fieldRules[fields[0]] != nil
        let denied = isHidden ? FieldReading.hidden : .denied
        let right = fields.reduce(Right.allow) { $0.and(model.right(actions, of: $1, for: identity)) }
        switch right {
        case .allow: return .always
        case .deny: return denied
        case .when(let predicate):
            return (try? RecordFilter(predicate, on: model)).map { FieldReading.when($0, isHidden: isHidden) } ?? denied
        }
    }

    private func relation(
        _ relation: APIRelation, _ field: SelectionCollector.Field, in model: ServerModel,
        by actions: Set<ModelAccess.Action>
    ) throws(RequestFault) -> SelectedRelation {
        guard let other = schema.model(relation.model),
            let definition = schema.api.type(model.name)?.field(relation.field)
        else { throw .internalFailure }
        let target: SelectedRelation.Target =
            relation.isList
            ? .page(
                try page(field.selections, of: other), arguments: try arguments(of: field.first, definition))
            : .record(try record(field.selections, of: other))
        return SelectedRelation(
            field: relation.field, type: definition.type, relation: relation,
            reading: reading(relation, of: model, by: actions),
            right: other.right(ModelAccess.reading, for: identity), isHidden: hidesUnreadable, target: target)
    }

    /// What is selected of a page of records.
    ///
    /// - Throws: ``RequestFault`` if too much is selected, or an argument of a relation has a value of another type.
    func page(_ selections: [Selection], of model: ServerModel) throws(RequestFault) -> PageSelection {
        var page = PageSelection(model: model, entries: [], items: [])
        try meter.enter()
        defer { meter.leave() }
        for field in try fields(of: selections, on: model.connection) {
            if identity.denies(field.first.name.text, of: model.connection) {
                page.entries.append((field.response, .denied(field.first.name.text)))
                continue
            }
            switch field.first.name.text {
            case "items":
                page.entries.append((field.response, .items(page.items.count)))
                page.items.append(try record(field.selections, of: model))
            case "nextToken": page.entries.append((field.response, .nextToken))
            case "startedAt": page.entries.append((field.response, .startedAt))
            default: page.entries.append((field.response, .typename))
            }
        }
        return page
    }

    /// What is selected of the objects of a type; `nil` for a type of single values.
    private func object(_ selections: [Selection], of type: SchemaType?) throws(RequestFault) -> ObjectSelection? {
        guard let type, type.kind == .object else { return nil }
        try meter.enter()
        defer { meter.leave() }
        var object = ObjectSelection(type: type.name, entries: [])
        for field in try fields(of: selections, on: type.name) {
            guard let definition = schema.api.field(field.first.name.text, of: type) else { continue }
            let inner = try self.object(field.selections, of: schema.api.type(definition.type.name.text))
            object.entries.append(
                .init(
                    response: field.response, member: definition.name.text == "__typename" ? nil : definition.name.text,
                    type: definition.type, selection: inner.map { [$0] } ?? [],
                    isDenied: identity.denies(definition.name.text, of: type.name)))
        }
        return object
    }

    /// The arguments of a field, coerced; an argument whose variable has no value is left out.
    ///
    /// - Throws: ``RequestFault`` if an argument has a value of another type, or the request has too many values.
    func arguments(of field: FieldSelection, _ definition: FieldDefinition) throws(RequestFault) -> JSONObject {
        var arguments = JSONObject()
        for argument in field.arguments {
            guard let wanted = definition.argument(argument.name.text),
                let value = WireValue(argument.value, variables: collector.variables)
            else { continue }
            // A variable was coerced already. All places share its value, however often fragments select them.
            if case .variable(let name) = argument.value.content, let type = collector.types[name],
                type.isSame(as: wanted.type) || type.nullable.isSame(as: wanted.type)
            {
                arguments[wanted.name.text] = value
                continue
            }
            try meter.take(argument: value)
            do {
                arguments[wanted.name.text] = try coercion.coerce(value, as: wanted.type, named: wanted.name.text)
            } catch {
                throw RequestFault(error)
            }
        }
        for wanted in definition.arguments where wanted.isRequired && arguments[wanted.name.text] == nil {
            throw RequestFault(InputFault(name: wanted.name.text, reason: .missing(wanted.type)))
        }
        return arguments
    }
}
