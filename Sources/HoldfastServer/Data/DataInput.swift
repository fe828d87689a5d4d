import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// A record as an administrator gives it, checked against the schema.
struct DataInput: Sendable {
    let model: ServerModel
    let key: RecordKey
    /// Whether the record should be deleted.
    private(set) var isDeletion = false
    /// The version that the administrator has seen; `nil` if the record has none.
    private(set) var version: Int64?
    /// The values that are given, by their positions in a row.
    private var values: [Int: Value] = [:]

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - object: The fields; `__typename`, `_version`, `_deleted`, and `_lastChangedAt` may be among them.
    ///   - model: The model.
    ///   - api: What has the types.
    ///   - uuid: Makes the identifier of a record that has none; `nil` if it must have one.
    /// - Throws: ``DataError`` if a field is unknown, a value is not one of its type, or the key has no value.
    init(
        _ object: JSONObject, of model: ServerModel, in api: GraphQLSchema, uuid: (() -> String)? = nil
    ) throws(DataError) {
        self.model = model
        let coercion = InputCoercion(api: api)
        for member in object.members {
            switch member.name {
            case "__typename":
                guard member.value.string == model.name else {
                    throw DataError(
                        .unknownModel, model: model.name, field: member.name, "the record is of another model")
                }
            case "_version" where !member.value.isNull:
                guard let version = member.value.integer else {
                    throw DataError(.invalidValue, model: model.name, field: "_version", "expected a whole number")
                }
                self.version = version
            case "_deleted" where !member.value.isNull:
                guard let isDeletion = member.value.boolean else {
                    throw DataError(.invalidValue, model: model.name, field: "_deleted", "expected true or false")
                }
                self.isDeletion = isDeletion
            case "_version", "_deleted", "_lastChangedAt": continue
            default:
                guard let column = model.column(member.name) else { throw Self.unknown(member.name, of: model) }
                values[column.position] = try Self.cell(member.value, of: column, model, coercion)
            }
        }
        var key: [Value] = []
        for position in model.entity.primaryKeyPositions {
            var value = values[position] ?? .null
            if value.isNull, !model.declaresKey, let uuid { value = .text(uuid()) }
            guard !value.isNull else {
                throw Self.missing(
                    model.columns[position], of: model, "a value is required, since it is part of the key")
            }
            values[position] = value
            key.append(value)
        }
        self.key = RecordKey(key)
    }

    private static func cell(
        _ value: WireValue, of column: ServerModel.Column, _ model: ServerModel, _ coercion: InputCoercion
    ) throws(DataError) -> Value {
        do {
            return try column.type.cell(
                try coercion.coerce(value, as: column.inputType.nullable, named: column.name))
        } catch let fault as InputFault {
            // A field inside of an object is named with the one that holds it.
            let field = fault.name == column.name ? fault.name : "\(column.name).\(Self.shown(fault.name))"
            switch fault.reason {
            case .missing: throw DataError(.missingValue, model: model.name, field: field, "a value is required")
            case .invalid(let reason): throw DataError(.invalidValue, model: model.name, field: field, reason)
            case .unknown: throw DataError(.unknownField, model: model.name, field: field, "there is no such field")
            }
        } catch {
            throw DataError(.invalidValue, model: model.name, field: column.name, "the value is not one of its type")
        }
    }

    private static func unknown(_ name: String, of model: ServerModel) -> DataError {
        guard let relation = model.relations[name] else {
            return DataError(.unknownField, model: model.name, field: shown(name), "there is no such field")
        }
        let hint =
            relation.isList
            ? "the other records have its key" : "give \(relation.own.joined(separator: " and "))"
        return DataError(.unknownField, model: model.name, field: name, "it is a relation; \(hint)")
    }

    private static func missing(
        _ column: ServerModel.Column, of model: ServerModel, _ reason: String = "a value is required"
    ) -> DataError {
        DataError(.missingValue, model: model.name, field: column.name, reason)
    }

    /// A name that comes from data; one that is not a GraphQL name is not repeated.
    static func shown(_ name: String) -> String {
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return isName && name.utf8.count <= 128 ? name : "?"
    }

    // MARK: - Rows

    /// All cells of a record that has only what is given, except for defaults, and for times that are not given.
    ///
    /// - Throws: ``DataError`` `.missingValue` for a required field that has none.
    func newRow() throws(DataError) -> [Value] {
        var row = model.blankRow(key)
        for column in model.columns.prefix(model.version) {
            var value = values[column.position] ?? .null
            if values[column.position] == nil, let text = column.defaultValue {
                value = (try? column.type.cell(MutationInput.defaultValue(text, of: column))) ?? .null
            }
            guard !value.isNull || !column.isRequired || isTime(column.position) else {
                throw Self.missing(column, of: model)
            }
            row[column.position] = value
        }
        return row
    }

    /// All cells of a stored record with the values that are given.
    ///
    /// - Throws: ``DataError`` `.missingValue` if a required field would lose its value.
    func changed(_ stored: [Value]) throws(DataError) -> [Value] {
        var row = stored
        for (position, value) in values {
            if value.isNull, model.columns[position].isRequired {
                if isTime(position) { continue }
                throw Self.missing(model.columns[position], of: model)
            }
            row[position] = value
        }
        return row
    }

    /// The row with the times that only the service knows, where the administrator gives none.
    ///
    /// - Parameters:
    ///   - row: All cells of the record.
    ///   - stored: All cells of the record that is replaced; `nil` for a new one.
    ///   - now: Milliseconds since 1970.
    /// - Returns: All cells with the times.
    func timed(_ row: [Value], over stored: [Value]?, now: Int64) -> [Value] {
        var row = row
        for position in [model.createdAt, model.updatedAt].compactMap({ $0 })
        where values[position]?.isNull ?? true {
            let time = (try? model.columns[position].type.cell(.string(MutationInput.time(now)))) ?? .null
            let kept = position == model.createdAt ? stored?[position] ?? .null : .null
            row[position] = kept.isNull ? time : kept
        }
        return row
    }

    /// Whether a stored record has the same values as a row; times that are not given count for nothing.
    func isSame(_ row: [Value], as stored: [Value]) -> Bool {
        model.columns.prefix(model.version).allSatisfy { column in
            row[column.position] == stored[column.position]
                || isTime(column.position) && values[column.position]?.isNull ?? true
        }
    }

    private func isTime(_ position: Int) -> Bool { position == model.createdAt || position == model.updatedAt }
}
