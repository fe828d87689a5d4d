import Foundation
import GoldenAccessEager
import GoldenAccessLazy
import GoldenDataEager
import GoldenDataLazy
import HoldfastConformance
import HoldfastGraphQL
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastModel

/// Random rows go through every generated model of the golden schemas, by its own codec and by `Codable`.
@Suite struct RoundTripTests {
    /// The models of a generated module by name, as its file registers them.
    ///
    /// The registry is left alone, since models of several modules have the same names.
    static func models(of module: String) throws -> [String: any Model.Type] {
        let path = "Golden/\(module)/AmplifyModels.generated.swift"
        let text = try String(contentsOf: Fixture.folder.appendingPathComponent(path), encoding: .utf8)
        var models: [String: any Model.Type] = [:]
        for line in text.split(separator: "\n") {
            guard let start = line.range(of: "register(modelType: "), let end = line.range(of: ".self)") else {
                continue
            }
            let name = String(line[start.upperBound..<end.lowerBound])
            let mangled = "\(module.count + 6)Golden\(module)\(name.count)\(name)V"
            models[name] = try #require(_typeByName(mangled) as? any Model.Type, "\(mangled)")
        }
        return models
    }

    struct World {
        let models: [String: any Model.Type]
        let schemas: [String: ModelSchema]
        let values: ValueMaker
        var random: SplitMix64

        /// A random row and the records that it relates to.
        mutating func row(of type: any Model.Type) throws -> (row: RowBuffer, parents: ParentRows?) {
            let schema = type.schema
            let entity = try schema.entity(among: schemas)
            var cells = entity.fields.map { field -> Value in
                field.isRequired || Bool.random(using: &random) ? values.value(field.type, &random) : .null
            }
            // A relation has all of a key or nothing of it.
            for field in schema.orderedFields where field.isAssociationOwner {
                let positions = schema.columnPositions(of: [field.name])
                guard positions.contains(where: { cells[$0].isNull }) else { continue }
                for position in positions where !entity.fields[position].isRequired { cells[position] = .null }
            }
            guard type.isEager else { return (RowBuffer(row: cells), nil) }
            var relations: [String: ParentRows.Relation] = [:]
            for relation in schema.eagerRelations {
                guard let parent = models[relation.model] else { continue }
                guard relation.relatedFields.isEmpty else {
                    let none = RowBuffer(columnCount: parent.schema.columns.count)
                    relations[relation.field] = ParentRows.Relation(none, by: relation.keyColumns(of: parent.schema))
                    continue
                }
                let (row, parents) = try self.row(of: parent)
                let isAbsent = relation.keyColumns.contains { cells[$0].isNull }
                for (column, key) in zip(relation.keyColumns, parent.schema.primaryKeyColumns) {
                    if !isAbsent {
                        cells[column] = row[0, key]
                    } else if !entity.fields[column].isRequired {
                        cells[column] = .null
                    }
                }
                relations[relation.field] = ParentRows.Relation(
                    row, by: relation.keyColumns(of: parent.schema), parents: parents)
            }
            return (RowBuffer(row: cells), ParentRows(relations))
        }
    }

    @Test(arguments: ["DataLazy", "DataEager", "AccessLazy", "AccessEager"])
    func everyModelIsReadBackAsItWas(module: String) throws {
        let models = try Self.models(of: module)
        let group = module.hasPrefix("Data") ? "Data" : "Access"
        var world = World(
            models: models, schemas: models.mapValues { $0.schema },
            values: try ValueMaker(try Fixture.sources(of: group)), random: SplitMix64(seed: 1))
        #expect(models.count > 10)
        for (name, type) in models.sorted(by: { $0.key < $1.key }) {
            for _ in 0..<20 {
                let (row, parents) = try world.row(of: type)
                try Self.check(type, name, row, parents, isEager: type.isEager)
            }
        }
    }

    private static func check<M: Model>(
        _ type: M.Type, _ name: String, _ row: RowBuffer, _ parents: ParentRows?, isEager: Bool
    ) throws {
        let reader = RowReader(row, row: 0, parents: parents)
        let model = try M(row: reader)
        let written = try model.row()
        let embedded = M.schema.layout.entries.enumerated().filter { M.schema.layout.holdsEmbedded[$0.offset] }
        let skipped = Set(embedded.map { M.schema.layout.valueColumns[$0.offset] })
        for column in 0..<row.columnCount where !skipped.contains(column) {
            #expect(written[0, column] == row[0, column], "\(name).\(M.schema.columns[column])")
        }
        #expect(try M(row: RowReader(written, row: 0, parents: parents)).row().cells == written.cells, "\(name)")
        let other = try RowDecoder.decode(M.self, from: reader)
        #expect(try other.row().cells == written.cells, "\(name) read through Codable")
        var writer = RowWriter(columnCount: M.schema.columns.count)
        try RowEncoder.write(model, to: &writer)
        writer.rows.finishRow()
        #expect(writer.finishedRows.cells == written.cells, "\(name) written through Codable")
    }

    @Test(arguments: ["DataLazy", "DataEager", "AccessLazy", "AccessEager"])
    func everySchemaIsOneThatStoresAccept(module: String) throws {
        let schemas = try Self.models(of: module).mapValues { $0.schema }
        let entities = try schemas.values.map { try $0.entity(among: schemas) }
        let problems = entities.flatMap { entity in
            entity.indexes.flatMap { $0.fields }.filter { name in !entity.fields.contains { $0.name == name } }
        }
        #expect(problems.isEmpty)
    }
}
