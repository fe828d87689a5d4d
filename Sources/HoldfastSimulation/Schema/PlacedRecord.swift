import HoldfastModel
import HoldfastStorage

/// A record of the model at a position of the schema that the present run simulates.
struct PlacedRecord<Position: ModelPosition>: SimulatedRecord {
    var cells: [Value]

    static var schema: ModelSchema {
        let schemas = Simulator.current?.schemas ?? []
        return Position.index < schemas.count ? schemas[Position.index] : ModelSchema(name: "\(Self.self)")
    }

    static var modelName: ModelName { schema.name }

    init(cells: [Value]) { self.cells = cells }

    init(row: RowReader) throws(ModelError) { cells = Self.schema.columns.indices.map(row.cell) }

    func write(to row: inout RowWriter) throws(ModelError) { for cell in cells { row.write(Cell(cell)) } }

    init(from decoder: any Decoder) throws {
        throw ModelError(.decodingFailed, "Records of a simulation are read from rows only.")
    }

    func encode(to encoder: any Encoder) throws {
        throw ModelError(.encodingFailed, "Records of a simulation are written as rows only.")
    }

    /// A cell as it is.
    private struct Cell: RowValue {
        static var fieldType: FieldType { .string }
        let storageValue: Value

        init(_ value: Value) { storageValue = value }
        init?(storageValue: Value) { self.storageValue = storageValue }
    }
}
