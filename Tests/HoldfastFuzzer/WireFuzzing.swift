import HoldfastModel
import HoldfastStorage
import HoldfastWire

/// What must hold for any bytes that come over a socket or in an answer.
enum WireFuzzing {
    /// Reads bytes as everything that the network brings, and reads back what it writes of them.
    ///
    /// Whatever the bytes, this returns.
    ///
    /// - Returns: Whether the bytes are JSON.
    @discardableResult
    static func check(_ bytes: [UInt8]) -> Bool {
        checkHeaders(bytes)
        guard let value = try? WireValue(parsing: bytes) else {
            precondition((try? model.page(bytes)) == nil, "A page comes from what is not JSON")
            return false
        }
        precondition((try? WireValue(parsing: value.bytes)) == value, "Writing changed a value")
        checkRecords(bytes)
        checkFrames(bytes)
        return true
    }

    private static let model: WireModel = {
        func field(_ name: String, _ type: ModelFieldType = .string, required: Bool = false) -> (String, ModelField) {
            (name, ModelField(name: name, type: type, isRequired: required))
        }
        let schema = ModelSchema(
            name: "Note", attributes: [.primaryKey(fields: ["id"])],
            fields: Dictionary(
                uniqueKeysWithValues: [
                    field("id", required: true), field("title", required: true), field("count", .int),
                    field("rating", .double), field("isDone", .bool), field("day", .date), field("at", .time),
                    field("when", .dateTime), field("tags", .embeddedCollection(of: String.self)),
                    field("place", .embedded(type: Place.self)),
                    (
                        "parent",
                        ModelField(
                            name: "parent", type: .model(name: "Note"),
                            association: .belongsTo(associatedFieldName: nil, targetNames: ["parentID"]))
                    ),
                ]))
        do {
            return try WireModel(schema, among: ["Note": schema])
        } catch {
            preconditionFailure("The model of the tests is wrong: \(error)")
        }
    }()

    private struct Place: Embeddable {}

    private static func checkRecords(_ bytes: [UInt8]) {
        for items in [try? model.page(bytes).result?.items, try? model.record(bytes).result] {
            guard let items else { continue }
            precondition(items.rows.rowCount == items.count, "A row without what the service says of it")
            for row in 0..<items.count {
                for (column, cell) in zip(model.columns, items.rows[row]) {
                    precondition(
                        (try? column.type.canonical(cell)) == cell, "A cell of \(column.name) is not canonical")
                }
            }
            for fault in items.faults {
                precondition((try? WireValue(parsing: Array(fault.json.utf8))) != nil, "A fault without its record")
                _ = fault.description
            }
        }
    }

    private static func checkFrames(_ bytes: [UInt8]) {
        _ = try? ServerFrame(parsing: bytes)
        if let operation = try? WireOperation(parsing: bytes) {
            precondition((try? WireOperation(parsing: operation.body)) == operation, "Writing changed a request")
        }
    }

    private static func checkHeaders(_ bytes: [UInt8]) {
        guard let headers = try? AuthHeaders(queryParameter: String(decoding: bytes, as: UTF8.self)) else { return }
        precondition(AuthHeaders(headers.json.object ?? [:]) == headers, "Writing changed headers")
        precondition((try? AuthHeaders(subprotocol: headers.subprotocol)) == headers, "Writing changed headers")
    }
}
