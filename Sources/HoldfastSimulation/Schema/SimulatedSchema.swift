public import HoldfastGraphQL
import HoldfastModel
public import HoldfastSchema
import HoldfastServer
import HoldfastStorage
import HoldfastWire

/// The models that runs simulate, from an annotated schema.
///
/// ```swift
/// let schema = try SimulatedSchema(
///     "type Task @model @auth(rules: [{ allow: owner }]) { title: String! isDone: Boolean }")
/// var generator = ScenarioGenerator(schema)
/// generator.clients = 5
/// let report = SimulationRun(generator.scenario(seed: 42), of: schema).report()
/// ```
public struct SimulatedSchema: Sendable {
    /// The schema as the services of all runs read it.
    var served: ServerSchemas
    /// In the order of the schema; join models at the end.
    private(set) var models: [SimulatedModel]
    /// The same models of an earlier version of the application, which lack some optional fields.
    private let earlierModels: [SimulatedModel]
    /// The records that clients may ask for a part of: by a text of a model; `nil` if no model has one.
    let interest: (model: String, field: String)?
    private var byName: [String: SimulatedModel]
    private let values: ValueMaker

    /// Reads a schema.
    ///
    /// - Parameter sources: The annotated schema, which may be spread over several texts; their indices must differ.
    /// - Throws: `SchemaError` with every problem of the schema, or with everything in it that a simulation cannot
    ///   judge; see the document about simulation.
    public init(_ sources: [Source]) throws(SchemaError) {
        let graph = try GraphBuilder.graph(of: sources)
        let service = try ServiceSchema(of: sources)
        served = ServerSchemas(sources)
        do throws(ModelError) {
            let models = try Self.models(graph, service)
            let interest = Self.interest(models)
            var earlier = graph
            for (model, present) in zip(service.models, models) {
                let late = present.lateField(model, but: interest?.model == present.name ? interest?.field : nil)
                guard let index = earlier.models.firstIndex(where: { $0.name == present.name }) else { continue }
                earlier.models[index].fields.removeAll { $0.name == late }
            }
            earlierModels = try Self.models(earlier, service, from: models.count)
            (self.models, self.interest) = (models, interest)
        } catch {
            throw SchemaError(problems: [SchemaProblem(message: error.description)])
        }
        byName = Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        values = ValueMaker(graph)
        let refused = SchemaRefusals(service, sources).problems
        if !refused.isEmpty { throw SchemaError(problems: refused) }
    }

    /// Reads a schema of one text.
    ///
    /// - Parameter text: The annotated schema.
    /// - Throws: As ``init(_:)-([Source])``.
    public init(_ text: String) throws(SchemaError) { try self.init([Source(text, name: "schema")]) }

    /// The names of the models, in the order of the schema; those of join models at the end.
    public var modelNames: [String] { models.map(\.name) }

    /// The model of a name; `nil` if there is none.
    func model(_ name: String) -> SimulatedModel? { byName[name] }

    /// Whether a model belongs to itself over others, so that none of them can come first.
    func isInCircle(_ name: String) -> Bool {
        var visited: Set<String> = []
        func visit(_ model: String) -> Bool {
            for link in self.model(model)?.links ?? [] where link.isOwned {
                if link.model == name { return true }
                if visited.insert(link.model).inserted, visit(link.model) { return true }
            }
            return false
        }
        return visit(name)
    }

    /// The relations by which a record can be moved from one parent to another, or from one to none.
    ///
    /// In circles, records could come to belong to themselves.
    func movableLinks(of model: SimulatedModel, toNone: Bool = false) -> [SimulatedModel.Link] {
        model.links.filter { link in
            link.isOwned && !link.isInKey && !(toNone && link.isRequired) && self.model(link.model) != nil
                && !isInCircle(model.name) && !isInCircle(link.model)
        }
    }

    var schemas: [String: ModelSchema] { byName.mapValues(\.schema) }

    /// The schema as an earlier version of the application has it.
    var earlier: SimulatedSchema {
        var schema = self
        schema.models = earlierModels
        schema.byName = Dictionary(earlierModels.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return schema
    }

    /// The schemas of all types of records, by their positions.
    var placedSchemas: [ModelSchema] { (models + earlierModels).map(\.schema) }

    /// The fields that an earlier version of the application lacks, by the names of their models.
    var lateFields: [String: Set<String>] {
        Dictionary(
            zip(models, earlierModels).map { present, earlier in
                (present.name, Set(present.entity.fields.map(\.name)).subtracting(earlier.entity.fields.map(\.name)))
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func models(
        _ graph: ModelGraph, _ service: ServiceSchema, from first: Int = 0
    ) throws(ModelError) -> [SimulatedModel] {
        let converter = ModelSchemas(graph)
        let schemas = Dictionary(
            graph.models.map { ($0.name, converter.schema(of: $0)) }, uniquingKeysWith: { first, _ in first })
        var models: [SimulatedModel] = []
        for (index, model) in service.models.enumerated() {
            models.append(
                try SimulatedModel(model, at: first + index, schemas, timestamps: service.timestamps[model.name]))
        }
        return models
    }

    /// Clients ask for a part of the records of the first model that belongs to another one, else of the first model,
    /// that has a text to ask for.
    private static func interest(_ models: [SimulatedModel]) -> (model: String, field: String)? {
        func text(_ model: SimulatedModel) -> String? {
            model.fields.first { !$0.content.isList && $0.content.scalar == "String" }?.name
        }
        let candidates = models.filter { !$0.links.isEmpty } + models
        return candidates.lazy.compactMap { model in text(model).map { (model.name, $0) } }.first
    }
}

// MARK: - Records

extension SimulatedSchema {
    /// What an edit gives a field.
    typealias Given = (field: String, value: Value)

    /// The key of a record.
    ///
    /// - Parameters:
    ///   - record: The number of the record.
    ///   - user: Whose record it is; of models whose records belong to no user all are those of user 0.
    ///   - model: The model.
    /// - Returns: The cells of the key.
    func key(_ record: Int, of user: Int, in model: SimulatedModel) -> RecordKey {
        RecordKey(key(record, of: user, in: model, depth: 0))
    }

    private func key(_ record: Int, of user: Int, in model: SimulatedModel, depth: Int) -> [Value] {
        let number = isPersonal(model, depth: 0) ? record + 1_000 * user : record
        return model.key.enumerated().map { index, field in
            for link in model.links where depth < 8 {
                if let position = link.columns.firstIndex(of: field.column), let other = self.model(link.model),
                    other.name != model.name
                {
                    return key(record, of: user, in: other, depth: depth + 1)[position]
                }
            }
            // Keys of several fields begin alike.
            let number = index == 0 && model.key.count > 1 ? number / 3 : number
            return values.value(of: field.content, number: number, text: "r\(number)")
        }
    }

    /// Whether each user has records of a model of his own.
    func isPersonal(_ model: SimulatedModel) -> Bool { isPersonal(model, depth: 0) }

    private func isPersonal(_ model: SimulatedModel, depth: Int) -> Bool {
        if model.access.rules.contains(where: { $0.ownerField != nil || $0.groupsField != nil }) { return true }
        guard depth < 8 else { return false }
        return model.links.contains { link in
            link.isInKey && self.model(link.model).map { isPersonal($0, depth: depth + 1) } ?? false
        }
    }

    /// A new record, with the values that an edit gives it.
    ///
    /// - Parameters:
    ///   - record: The number of the record.
    ///   - user: Whose record it is.
    ///   - model: The model.
    ///   - parent: The number of the records to which it belongs; `nil` for none.
    ///   - fields: The fields that the edit names.
    ///   - step: The number of the edit.
    /// - Returns: The cells, and what the edit gives that no other one does.
    func new(
        _ record: Int, of user: Int, in model: SimulatedModel, parent: Int?, _ fields: [String], step: Int
    ) -> (cells: [Value], given: [Given]) {
        var cells = [Value](repeating: .null, count: model.entity.fields.count)
        for (field, value) in zip(model.key, key(record, of: user, in: model).components) {
            cells[field.column] = value
        }
        for link in model.links {
            guard let other = self.model(link.model) else { continue }
            // A required parent that the edit does not name is one that is never there.
            let missing = link.isOwned ? -1 : record
            guard let number = link.isInKey ? record : parent ?? (link.isRequired ? missing : nil) else { continue }
            for (column, value) in zip(link.columns, key(number, of: user, in: other).components)
            where cells[column].isNull {
                cells[column] = value
            }
        }
        let names = model.required.map(\.name).filter { !fields.contains($0) } + fields
        return (change(cells, of: model, names, step: step), given(model, names, step: step))
    }

    /// A record with values that no other edit gives.
    func change(_ cells: [Value], of model: SimulatedModel, _ fields: [String], step: Int) -> [Value] {
        var cells = cells
        for field in model.changing(fields) {
            let value = value(of: field, step: step)
            if field.content.isList, case .list(let elements) = cells[field.column] {
                cells[field.column] = .list(elements + [value])
            } else {
                cells[field.column] = field.content.isList ? .list([value]) : value
            }
        }
        return cells
    }

    /// What an edit gives that no other one does.
    ///
    /// The service appends whole lists and joins objects when it merges, so that their values are not those of one
    /// edit.
    func given(_ model: SimulatedModel, _ fields: [String], step: Int) -> [Given] {
        model.changing(fields).filter { ValueMaker.isUnique($0.content) }.map { ($0.name, value(of: $0, step: step)) }
    }

    private func value(of field: SimulatedModel.Field, step: Int) -> Value {
        values.value(of: field.content, number: step, text: "s\(step)\(field.name)")
    }
}

extension SimulatedModel {
    /// The fields of some names, in the order of the schema.
    fileprivate func changing(_ names: [String]) -> [Field] {
        let own = fields + required.filter { field in !fields.contains { $0.name == field.name } }
        return own.filter { names.contains($0.name) }
    }
}
