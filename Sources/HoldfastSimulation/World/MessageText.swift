import HoldfastStorage
import HoldfastSync
import HoldfastWire

/// What messages and commits say, in a few words, for diagrams.
enum MessageText {
    /// The operation of a request, with the record and the version that it is about.
    static func request(_ body: [UInt8]) -> String {
        guard let members = try? WireValue(parsing: body).object, let document = members["query"]?.string else {
            return "request"
        }
        var words = [operation(document)]
        let input = members["variables"]?["input"] ?? members["variables"]
        if let id = input?["id"]?.string { words.append(id) }
        if let version = input?["_version"]?.integer { words.append("v\(version)") }
        return words.joined(separator: " ")
    }

    /// The name of an operation, or its first field.
    private static func operation(_ document: String) -> String {
        let words = document.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        guard let first = words.first, words.count > 1 else { return document }
        return ["query", "mutation", "subscription"].contains(first) ? String(words[1]) : String(first)
    }

    /// What an answer brings, or why it does not.
    static func answer(_ response: WireResponse) -> String {
        guard response.status == 200 else { return "status \(response.status)" }
        guard let members = try? WireValue(parsing: response.body).object else { return "no JSON" }
        if let error = members["errors"]?[0] {
            return error["errorType"]?.string ?? error["message"]?.string ?? "error"
        }
        guard let field = members["data"]?.object?.members.first?.value else { return "no data" }
        if let items = field["items"]?.array { return items.isEmpty ? "" : "\(items.count) records" }
        return field["_version"]?.integer.map { "v\($0)" } ?? ""
    }

    /// What a frame of a subscription delivers; `nil` if it delivers no record.
    static func event(_ frame: [UInt8]) -> String? {
        guard let members = try? WireValue(parsing: frame).object, members["type"]?.string == "data",
            let field = members["payload"]?["data"]?.object?.members.first
        else { return nil }
        let version = field.value["_version"]?.integer.map { " v\($0)" } ?? ""
        return "\(field.name) \(field.value["id"]?.string ?? "")\(version)"
    }

    /// The records of applications that a commit changes; empty if there are none.
    static func commit(_ request: CommitRequest, _ schema: StorageSchema?) -> String {
        var words: [String] = []
        for operation in request.operations {
            guard let entity = try? schema?.entity(named: operation.entity), entity.name.namesModel else { continue }
            switch operation {
            case .put(_, let rows, _):
                for row in 0..<rows.rowCount { words.append(state(Array(rows[row]), of: entity)) }
            case .delete(_, let keys):
                for key in keys {
                    words.append(ServiceHistory.Record(model: entity.name, key: key).text + " removed")
                }
            case .clear: words.append("all of \(entity.name) removed")
            }
        }
        return words.joined(separator: ", ")
    }

    private static func state(_ row: [Value], of entity: EntitySchema) -> String {
        var words = [ServiceHistory.Record(model: entity.name, key: entity.key(of: row)).text]
        for (field, value) in zip(entity.fields, row) {
            if field.name == "_version", let version = value.integer { words.append("v\(version)") }
            if field.name == "_deleted", value == .boolean(true) { words.append("deleted") }
        }
        return words.joined(separator: " ")
    }
}
