import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport

@testable import HoldfastModel

/// Random records of all models of a schema that relate to each other.
struct GeneratedRecords {
    let models: [String: any Model.Type]
    let schemas: [String: ModelSchema]
    /// The names of the models, those to which others lead first.
    let order: [String]
    /// The rows of each model by key.
    private(set) var rows: [String: [RecordKey: RowBuffer]] = [:]
    /// The rows of each model; those to which others lead come first.
    private(set) var sequences: [String: [RowBuffer]] = [:]
    private let values: ValueMaker
    private var random: SplitMix64

    init(_ models: [String: any Model.Type], _ values: ValueMaker, seed: UInt64, count: Int) throws {
        self.models = models
        schemas = models.mapValues { $0.schema }
        self.values = values
        random = SplitMix64(seed: seed)
        order = Self.order(of: schemas)
        for name in order {
            for _ in 0..<count {
                guard let row = try row(of: name), rows[name]?[key(of: name, row)] == nil else { continue }
                rows[name, default: [:]][key(of: name, row)] = row
                sequences[name, default: []].append(row)
            }
        }
    }

    /// Where relations lead in a circle, one of them is optional and stays empty.
    private static func order(of schemas: [String: ModelSchema]) -> [String] {
        var open = schemas.keys.sorted()
        var order: [String] = []
        func leadsToOpen(_ name: String, requiredOnly: Bool) -> Bool {
            schemas[name]?.orderedFields.contains { field in
                switch field.association {
                case .belongsTo: break
                case .hasOne(_, _, let targetNames): if targetNames.isEmpty { return false }
                case .hasMany, nil: return false
                }
                let other = field.associatedModelName ?? name
                return other != name && open.contains(other) && (field.isRequired || !requiredOnly)
            } ?? false
        }
        while !open.isEmpty {
            let next =
                open.first { !leadsToOpen($0, requiredOnly: false) }
                ?? open.first { !leadsToOpen($0, requiredOnly: true) } ?? open[0]
            order.append(next)
            open.removeAll { $0 == next }
        }
        return order
    }

    /// The key of a row.
    func key(of model: String, _ row: RowBuffer) -> RecordKey {
        RecordKey(schemas[model]?.primaryKeyColumns.map { row[0, $0] } ?? [])
    }

    /// The records to which a row of an eager model relates, and those to which they relate.
    func parents(of model: String, _ row: RowBuffer) -> ParentRows? {
        guard let type = models[model], type.isEager else { return nil }
        var relations: [String: ParentRows.Relation] = [:]
        for relation in type.schema.eagerRelations {
            guard let related = schemas[relation.model] else { continue }
            // Records that lead to this one do not exist before it.
            let key = relation.relatedFields.isEmpty ? relation.key(in: row, row: 0) : nil
            let found = key.flatMap { rows[relation.model]?[$0] }
            relations[relation.field] = ParentRows.Relation(
                found ?? RowBuffer(columnCount: related.columns.count),
                by: relation.keyColumns(of: related), parents: found.flatMap { parents(of: relation.model, $0) })
        }
        return ParentRows(relations)
    }

    /// The keys of the records of a model whose columns hold a key.
    func keys(of model: String, leadingBy columns: [Int], to key: RecordKey) -> Set<RecordKey> {
        let found = (rows[model] ?? [:]).filter { _, row in RecordKey(columns.map { row[0, $0] }) == key }
        return Set(found.keys)
    }

    /// A random row; `nil` if a required relation has no record to lead to.
    private mutating func row(of model: String) throws -> RowBuffer? {
        guard let schema = schemas[model] else { return nil }
        let entity = try schema.entity(among: schemas)
        var cells = entity.fields.map { field -> Value in
            field.isRequired || Bool.random(using: &random) ? values.value(field.type, &random) : .null
        }
        for column in schema.primaryKeyColumns {
            if case .string = entity.fields[column].type {
                cells[column] = .text("key \(UInt64.random(in: .min ... .max, using: &random))")
            }
        }
        for field in schema.orderedFields {
            let columns: [Int]
            switch field.association {
            case .belongsTo: columns = schema.columnPositions(of: [field.name])
            case .hasOne(_, _, let targetNames): columns = schema.columnPositions(of: targetNames)
            case .hasMany, nil: continue
            }
            let targets = (rows[field.associatedModelName ?? ""] ?? [:]).keys.sorted { "\($0)" < "\($1)" }
            let isRequired = field.isRequired || columns.contains { entity.fields[$0].isRequired }
            let target = isRequired || Bool.random(using: &random) ? targets.randomElement(using: &random) : nil
            if isRequired, target == nil { return nil }
            for (index, column) in columns.enumerated() { cells[column] = target?.components[index] ?? .null }
        }
        return RowBuffer(row: cells)
    }
}
