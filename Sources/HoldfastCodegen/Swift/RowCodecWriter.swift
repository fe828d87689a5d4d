import HoldfastSchema

/// Writes the row codec of a model: one cell per column, in the order of the schema.
struct RowCodecWriter {
    let model: ModelType
    let isLazy: Bool
    private let columns: [String]
    /// What the row is called where it is read; no field has the name.
    private let row: String

    init(model: ModelType, isLazy: Bool) {
        self.model = model
        self.isLazy = isLazy
        var columns: [String] = []
        var known: Set<String> = []
        for column in model.fields.flatMap(\.columns) where known.insert(column).inserted { columns.append(column) }
        self.columns = columns
        var row = "row"
        while model.fields.contains(where: { $0.storage(isLazy) == row }) { row += "_" }
        self.row = row
    }

    /// Writes the codec; what it leaves out is done by `Codable`.
    func write(to text: inout SwiftText) {
        text.block("extension \(model.name)") { text in
            let parameter = row == "row" ? row : "row \(row)"
            text.block("public init(\(parameter): borrowing RowReader) throws(ModelError)") { text in
                // All values first: a struct that may fail half made is copied when it is complete.
                for field in model.fields {
                    text.line("let \(field.storage(isLazy)): \(field.storedType(isLazy)) = \(reading(of: field))")
                }
                for field in model.fields {
                    text.line("self.\(field.storage(isLazy)) = \(field.storage(isLazy))")
                }
            }
            text.line()
            guard !sharesColumns else {
                text.line("// Rows are written through `Codable`, because two relations share a column.")
                return
            }
            text.block("public func write(to row: inout RowWriter) throws(ModelError)") { text in
                for line in writing() { text.line(line) }
            }
        }
    }

    /// The positions of columns, as arguments.
    private func positions(_ names: [String]) -> String {
        names.compactMap { columns.firstIndex(of: $0) }.map(String.init).joined(separator: ", ")
    }

    // MARK: - Reading

    private func reading(of field: ModelTypeField) -> String {
        guard let relation = field.relation else {
            guard field.isEmbedded else { return "try \(row).read(\(positions([field.name])))" }
            return "try \(row).embedded\(field.isList ? "List" : "")\(field.isRequired ? "" : "IfPresent")"
                + "(\(positions([field.name])))"
        }
        let key = positions(model.primaryKey)
        switch relation.kind {
        case .hasMany: return "\(row).children(by: \(fields(relation.associated)), keyColumns: \(key))"
        case .hasOne where relation.targets.isEmpty && isLazy:
            return "\(row).child(by: [\(relation.associated.map(quoted).joined(separator: ", "))], keyColumns: \(key))"
        case .hasOne where relation.targets.isEmpty: return parent(field, key)
        case .belongsTo, .hasOne:
            return isLazy
                ? "\(row).reference(keyColumns: \(positions(relation.targets)))"
                : parent(field, positions(relation.targets))
        }
    }

    private func parent(_ field: ModelTypeField, _ key: String) -> String {
        "try \(row).\(field.isRequired ? "requiredParent" : "parent")(\(quoted(field.name)), keyColumns: \(key))"
    }

    /// One field, or a list of several.
    private func fields(_ names: [String]) -> String {
        names.count == 1 ? quoted(names[0]) : "[\(names.map(quoted).joined(separator: ", "))]"
    }

    // MARK: - Writing

    /// Whether two relations hold one column, of which either may lead nowhere.
    private var sharesColumns: Bool {
        let held = model.fields.filter { $0.relation != nil }.flatMap(\.columns)
        return held.contains { column in
            held.count { $0 == column } > 1 && !model.fields.contains { $0.value != nil && $0.name == column }
        }
    }

    /// One line for each value and for each run of columns of a relation; a column that a relation shares with a value
    /// is written with the value.
    private func writing() -> [String] {
        var lines: [String] = []
        var rest = columns[...]
        while let column = rest.first {
            if let field = model.fields.first(where: { $0.value != nil && $0.name == column }) {
                lines.append(line(of: field))
                rest.removeFirst()
                continue
            }
            guard let field = model.fields.first(where: { $0.columns.contains(column) }),
                let targets = field.relation?.targets
            else { break }
            let run = rest.prefix { name in
                targets.contains(name) && !model.fields.contains { $0.value != nil && $0.name == name }
            }
            let parent = isLazy ? field.storage(true) : "parent: \(property(field))"
            let numbers = run.compactMap { targets.firstIndex(of: $0) }.map(String.init).joined(separator: ", ")
            lines.append("try row.write(\(parent)\(Array(run) == targets ? "" : ", keyFields: \(numbers)"))")
            rest.removeFirst(run.count)
        }
        return lines
    }

    private func line(of field: ModelTypeField) -> String {
        guard field.isEmbedded else { return "row.write(\(property(field)))" }
        return "try row.writeEmbedded\(field.isList ? "List" : "")(\(property(field)))"
    }

    private func property(_ field: ModelTypeField) -> String {
        field.name == "row" ? "self.row" : field.storage(isLazy)
    }
}
