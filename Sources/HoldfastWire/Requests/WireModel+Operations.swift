import HoldfastGraphQL
import HoldfastSchema
public import HoldfastStorage

extension WireModel {
    /// One argument of an operation: its name, the type of its variable, and its value.
    private typealias Argument = (name: String, type: String, value: WireValue)

    /// The query for one record.
    ///
    /// A key of one field called `id` is a variable. Other keys are written into the document: whether the service
    /// calls the type of a text `ID` or `String` is not known here, and a literal fits both.
    ///
    /// - Parameters:
    ///   - key: The record's key; it has as many components as the model's.
    ///   - relations: How much of related records is selected; their keys by default.
    /// - Returns: An operation that selects the record's fields.
    public func get(_ key: RecordKey, relations: RelationSelection = .keys) -> WireOperation {
        get(key, []) { $0.fields(of: self, relations) }
    }

    /// The query for a page of the records in a list of one record.
    ///
    /// - Parameters:
    ///   - key: The key of the record that has the list.
    ///   - list: The name of the list.
    ///   - element: The model of the records in it.
    ///   - limit: How many records at most; the service's default of 100 for `nil`.
    ///   - nextToken: The token of the previous page, if any.
    ///   - relations: How much of related records is selected; their keys by default.
    /// - Returns: An operation that selects the records of the page and the token of the next page.
    public func get(
        _ key: RecordKey, list: String, of element: WireModel, limit: Int? = nil, nextToken: String? = nil,
        relations: RelationSelection = .keys
    ) -> WireOperation {
        let arguments = page(filter: nil, limit: limit, nextToken: nextToken)
        let passed = arguments.map { "\($0.name): $\($0.name)" }.joined(separator: ", ")
        return get(key, arguments) { writer in
            writer.block(passed.isEmpty ? list : "\(list)(\(passed))") { writer in
                writer.block("items") { $0.fields(of: element, relations) }
                writer.line("nextToken")
            }
        }
    }

    private func get(
        _ key: RecordKey, _ inner: [Argument], _ selection: (inout DocumentWriter) -> Void
    ) -> WireOperation {
        let fields = keyColumns.map { columns[$0] }
        if fields.count == 1, fields[0].wireName == "id", case .text(let id)? = key.components.first {
            return operation("query", "get" + typeName, [("id", "ID!", .string(id))], inner: inner, selection)
        }
        let arguments = zip(fields, key.components).map { field, value in
            "\(field.wireName): \(Self.literal(value, of: field.type))"
        }
        return operation("query", "get" + typeName, [], literals: arguments.sorted(), inner: inner, selection)
    }

    /// The query for a page of records.
    ///
    /// - Parameters:
    ///   - filter: What the records must satisfy; see ``WireModel/filter(for:in:)``.
    ///   - limit: How many records are looked at; the service's default of 100 for `nil`.
    ///   - nextToken: The token of the previous page, if any.
    ///   - relations: How much of related records is selected; their keys by default.
    /// - Returns: An operation that selects the records of the page and the token of the next page.
    public func list(
        filter: WireValue? = nil, limit: Int? = nil, nextToken: String? = nil, relations: RelationSelection = .keys
    ) -> WireOperation {
        let arguments = page(filter: filter, limit: limit, nextToken: nextToken)
        return operation("query", "list" + Names.upperFirst(listPlural), arguments) { writer in
            writer.block("items") { $0.fields(of: self, relations) }
            writer.line("nextToken")
        }
    }

    /// The query for a page of records and tombstones.
    ///
    /// - Parameters:
    ///   - filter: What the records must satisfy, wrapped in `and`; see ``WireModel/syncFilter(for:)``.
    ///   - limit: How many records at most; the service's default of 100 for `nil`, and its maximum is 1,000.
    ///   - nextToken: The token of the previous page, if any.
    ///   - lastSync: The watermark in milliseconds; `nil` for a base query.
    ///   - relations: How much of related records is selected; their keys by default.
    /// - Returns: An operation that selects the records of the page, the token of the next page, and `startedAt`.
    public func sync(
        filter: WireValue? = nil, limit: Int? = nil, nextToken: String? = nil, lastSync: Int64? = nil,
        relations: RelationSelection = .keys
    ) -> WireOperation {
        var arguments = page(filter: filter, limit: limit, nextToken: nextToken)
        if let lastSync { arguments.append(("lastSync", "AWSTimestamp", .integer(lastSync))) }
        return operation("query", "sync" + Names.upperFirst(syncPlural), arguments) { writer in
            writer.block("items") { $0.fields(of: self, relations) }
            writer.line("nextToken")
            writer.line("startedAt")
        }
    }

    /// A mutation of one record.
    ///
    /// - Parameters:
    ///   - mutation: What it does.
    ///   - input: The record's key, fields, and base version; see ``WireModel/input(for:row:changedFields:version:)``.
    ///   - condition: What the service's record must satisfy; `nil` for nothing.
    ///   - relations: How much of related records is selected; all their fields by default, since subscribers get no
    ///     more than a mutation selects.
    /// - Returns: An operation that has the input and the condition as variables, and selects the record's fields.
    public func mutation(
        _ mutation: WireMutation, input: JSONObject, condition: WireValue? = nil, relations: RelationSelection = .fields
    ) -> WireOperation {
        let field = mutation.rawValue + typeName
        var arguments: [Argument] = [("input", Names.upperFirst(field) + "Input!", .object(input))]
        if let condition { arguments.append(("condition", "Model\(typeName)ConditionInput", condition)) }
        return operation("mutation", field, arguments) { $0.fields(of: self, relations) }
    }

    /// A subscription to the mutations of one sort.
    ///
    /// - Parameters:
    ///   - mutation: The mutations to subscribe to.
    ///   - owners: The values of arguments that the model's rules ask for; see
    ///     ``WireModel/ownerArguments(for:groups:claim:)``.
    ///   - filter: What the records must satisfy; `nil` for everything, as amplify-swift asks.
    ///   - relations: How much of related records is selected; their keys by default.
    /// - Returns: An operation that has the owners and the filter as variables, and selects the record's fields.
    public func subscription(
        to mutation: WireMutation, owners: [OwnerArgument] = [], filter: WireValue? = nil,
        relations: RelationSelection = .keys
    ) -> WireOperation {
        var arguments: [Argument] = owners.map { ($0.name, "String!", .string($0.value)) }
        if let filter { arguments.append(("filter", "ModelSubscription\(typeName)FilterInput", filter)) }
        return operation("subscription", Names.subscription(mutation.event + typeName), arguments) {
            $0.fields(of: self, relations)
        }
    }

    // MARK: - Text

    /// The model's name inside the names of operations and inputs.
    var typeName: String { Names.upperFirst(name) }

    /// A value as GraphQL writes it: like the literals of JSON, except for cases of enumerations, which are names.
    private static func literal(_ value: Value, of type: FieldType) -> String {
        if case .enumeration = type, case .text(let name) = value, !name.isEmpty,
            name.utf8.allSatisfy(ASCII.isNameContinue)
        {
            return name
        }
        return WireValue(value, of: type).text
    }

    private func page(filter: WireValue?, limit: Int?, nextToken: String?) -> [Argument] {
        var arguments: [Argument] = []
        if let filter { arguments.append(("filter", "Model\(typeName)FilterInput", filter)) }
        if let limit { arguments.append(("limit", "Int", .integer(Int64(limit)))) }
        if let nextToken { arguments.append(("nextToken", "String", .string(nextToken))) }
        return arguments
    }

    /// Writes an operation with one field; `inner` are arguments that its selection uses.
    private func operation(
        _ kind: String, _ field: String, _ arguments: [Argument], literals: [String] = [], inner: [Argument] = [],
        _ selection: (inout DocumentWriter) -> Void
    ) -> WireOperation {
        let arguments = arguments.sorted { $0.name < $1.name }
        let variables = arguments + inner
        var (head, call) = ("\(kind) \(Names.upperFirst(field))", field)
        if !variables.isEmpty {
            head += "(" + variables.map { "$\($0.name): \($0.type)" }.joined(separator: ", ") + ")"
        }
        let passed = arguments.map { "\($0.name): $\($0.name)" } + literals
        if !passed.isEmpty { call += "(" + passed.joined(separator: ", ") + ")" }
        var writer = DocumentWriter()
        writer.block(head) { $0.block(call, selection) }
        var values = JSONObject()
        for variable in variables { values[variable.name] = variable.value }
        return WireOperation(writer.text, variables: variables.isEmpty ? nil : values)
    }
}

extension DocumentWriter {
    fileprivate mutating func fields(of model: WireModel, _ relations: RelationSelection) {
        fields(model.selection.fields(relations))
    }
}
