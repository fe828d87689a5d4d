import HoldfastGraphQL
import HoldfastStorage
import HoldfastWire

/// The input of a mutation as fields of a record.
struct MutationInput {
    /// The record.
    let key: RecordKey
    /// The fields that get a value, the key left out.
    var changes: [Mutation.Change]
    /// The names of the fields to which the client gave a value; the key is among them in a new record alone.
    let given: [String]
    /// The version that the client has seen; 0 for none.
    let version: Int64

    /// Reads an input.
    ///
    /// A new record is completed: with an identifier, the defaults of its fields, and the times. A time that is null
    /// counts as one that is not given.
    ///
    /// - Throws: ``RequestFault`` if a field of the key has no value, or not one of its type, or if the record would lack
    ///   a value without which clients cannot read it.
    init(
        _ input: JSONObject, of model: ServerModel, _ operation: MutationOperation, now: Int64,
        newID: () -> String
    ) throws {
        var input = input
        version = input["_version"]?.integer ?? 0
        input["_version"] = nil
        // The time of the creation cannot be taken away.
        for name in [model.createdAt, model.updatedAt].compactMap({ $0 }).map({ model.columns[$0].name })
        where input[name]?.isNull == true { input[name] = nil }
        given = input.members.map(\.name).filter { operation == .create || !model.key.contains($0) }
        var times: [Int] = []
        if operation != .delete { times = [model.updatedAt].compactMap { $0 } }
        if operation == .create {
            times += [model.createdAt].compactMap { $0 }
            for column in model.columns where input[column.name]?.isNull ?? true {
                if let text = column.defaultValue { input[column.name] = Self.defaultValue(text, of: column) }
            }
            if !model.declaresKey, input["id"]?.isNull ?? true { input["id"] = .string(newID()) }
        }
        for position in times where input[model.columns[position].name]?.isNull ?? true {
            input[model.columns[position].name] = .string(Self.time(now))
        }
        var key: [Value] = []
        for name in model.key {
            guard let column = model.column(name), let value = input[name], !value.isNull else {
                throw RequestFault(nil, "Variable '\(name)' has coerced Null value for NonNull type 'ID!'")
            }
            key.append(try column.keyCell(value))
        }
        self.key = RecordKey(key)
        // The types of inputs admit null in keys that relations add.
        for column in model.columns where operation == .create && column.isRequired {
            if input[column.name]?.isNull ?? true { throw RequestFault.missingValue(column.name, of: model.name) }
        }
        changes = []
        for member in input.members where !model.key.contains(member.name) {
            guard let column = model.column(member.name) else { continue }
            changes.append(Mutation.Change(column.position, try column.type.cell(member.value)))
        }
    }

    /// A time of the clock as the service writes it: in UTC, with milliseconds.
    static func time(_ milliseconds: Int64) -> String {
        let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
        return Timestamp(
            secondsSinceEpoch: seconds, nanoseconds: Int32(milliseconds - seconds * 1000) * 1_000_000,
            tail: WrittenForm(offset: 0, fractionDigits: 3)
        ).text
    }

    /// What a new record has in a field that it lacks, as `@default` says.
    static func defaultValue(_ text: String, of column: ServerModel.Column) -> WireValue {
        switch column.type {
        case .int, .timestamp: Int64(text).map(WireValue.integer) ?? .null
        case .float: Double(text).flatMap { JSONNumber($0) }.map(WireValue.number) ?? .null
        case .boolean: .boolean(text == "true")
        default: .string(text)
        }
    }
}
