/// Writes the row codec of a model: one cell per column, in the order of the schema.
struct RowCodecWriter {
    let model: ModelType
    let isLazy: Bool
    private let columns: [String]

    init(model: ModelType, isLazy: Bool) {
        self.model = model
        self.isLazy = isLazy
        var columns: [String] = []
        var known: Set<String> = []
        for column in model.fields.flatMap(\.columns) where known.insert(column).inserted { columns.append(column) }
        self.columns = columns
    }

    /// Writes the codec.
    ///
    /// A half that the codec's helpers cannot express is left out; `Codable` does it then.
    func write(to text: inout SwiftText) {
        let reading = model.fields.map(reading(of:))
        let writing = writing()
        text.block("extension \(model.name)") { text in
            if let index = reading.firstIndex(of: nil) {
                text.line("// Rows are read through `Codable`, because of the field \(model.fields[index].name).")
            } else {
                text.block("public init(row: RowReader) throws(ModelError)") { text in
                    for (field, expression) in zip(model.fields, reading) {
                        text.line("self.\(field.storage(isLazy)) = \(expression ?? "")")
                    }
                }
            }
            text.line()
            guard let writing else {
                text.line("// Rows are written through `Codable`, because of a list of objects or of shared columns.")
                return
            }
            text.block("public func write(to row: inout RowWriter) throws(ModelError)") { text in
                for line in writing { text.line(line) }
            }
        }
    }

    private func place(_ column: String) -> Int? { columns.firstIndex(of: column) }

    private func places(_ names: [String]) -> String? {
        let places = names.compactMap(place)
        guard places.count == names.count, !places.isEmpty else { return nil }
        return places.map(String.init).joined(separator: ", ")
    }

    // MARK: - Reading

    private func reading(of field: ModelTypeField) -> String? {
        guard let relation = field.relation else {
            guard let column = place(field.name), !(field.isEmbedded && field.isList) else { return nil }
            if field.isEmbedded { return "try row.embedded\(field.isRequired ? "" : "IfPresent")(\(column))" }
            return "try row.read(\(column))"
        }
        switch relation.kind {
        case .hasMany:
            guard relation.associated.count == 1, let key = places(model.primaryKey) else { return nil }
            return "row.children(by: \(quoted(relation.associated[0])), keyColumns: \(key))"
        case .belongsTo, .hasOne:
            let held = relation.targets.isEmpty && relation.kind == .hasOne ? model.primaryKey : relation.targets
            guard let key = places(held) else { return nil }
            guard isLazy else {
                return
                    "try row.\(field.isRequired ? "requiredParent" : "parent")(\(quoted(field.name)), keyColumns: \(key))"
            }
            let numbers = relation.targets.compactMap(place)
            guard let first = numbers.first, numbers == Array(first..<first + numbers.count) else { return nil }
            return "row.reference(\(first))"
        }
    }

    // MARK: - Writing

    private func writing() -> [String]? {
        if model.fields.contains(where: { $0.isEmbedded && $0.isList }) { return nil }
        let values = Set(model.fields.filter { $0.value != nil }.map(\.name))
        var owners: [String: String] = [:]
        var lines: [String] = []
        for field in model.fields {
            if let relation = field.relation {
                guard relation.kind == .belongsTo else { continue }
                let own = relation.targets.filter { owners[$0] == nil }
                let shared = own.filter(values.contains)
                if own.isEmpty { continue }
                guard shared.isEmpty || shared.count == relation.targets.count else { return nil }
                if shared.isEmpty {
                    guard own.count == relation.targets.count else { return nil }
                    let argument = isLazy ? field.storage(true) : "parent: \(property(field))"
                    lines.append("try row.write(\(argument))")
                } else {
                    lines += shared.compactMap(model.field).map(line(of:))
                }
                for column in own { owners[column] = field.name }
            } else if owners[field.name] == nil {
                owners[field.name] = field.name
                lines.append(line(of: field))
            }
        }
        return lines
    }

    private func line(of field: ModelTypeField) -> String {
        field.isEmbedded ? "try row.writeEmbedded(\(property(field)))" : "row.write(\(property(field)))"
    }

    private func property(_ field: ModelTypeField) -> String {
        field.name == "row" ? "self.row" : field.storage(isLazy)
    }
}
