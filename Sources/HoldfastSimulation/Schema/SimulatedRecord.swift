import HoldfastModel
import HoldfastStorage

/// A record of a model that is known only at run time: its cells, in the order of the model's columns.
protocol SimulatedRecord: Model {
    var cells: [Value] { get set }
    init(cells: [Value])
}

/// Numbers the models of a schema in a type, since a model's schema belongs to its type.
protocol ModelPlace: Sendable {
    /// The place of the model in the schema, from 0.
    static var index: Int { get }
}

/// The number 0.
enum FirstPlace: ModelPlace {
    static var index: Int { 0 }
}

/// Twice another number.
enum EvenPlace<Half: ModelPlace>: ModelPlace {
    static var index: Int { 2 * Half.index }
}

/// Twice another number, and one.
enum OddPlace<Half: ModelPlace>: ModelPlace {
    static var index: Int { 2 * Half.index + 1 }
}

/// A record of the model at a place of the schema that the present run simulates.
struct PlacedRecord<Place: ModelPlace>: SimulatedRecord {
    var cells: [Value]

    static var schema: ModelSchema {
        let schemas = Simulator.current?.schemas ?? []
        return Place.index < schemas.count ? schemas[Place.index] : ModelSchema(name: "\(Self.self)")
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

/// The types of records, by the places of their models.
enum RecordTypes {
    /// The type of the records at a place.
    static func type(at index: Int) -> any SimulatedRecord.Type {
        func record<Place: ModelPlace>(_ place: Place.Type) -> any SimulatedRecord.Type { PlacedRecord<Place>.self }
        return record(place(index))
    }

    private static func place(_ index: Int) -> any ModelPlace.Type {
        func even<Half: ModelPlace>(_ half: Half.Type) -> any ModelPlace.Type { EvenPlace<Half>.self }
        func odd<Half: ModelPlace>(_ half: Half.Type) -> any ModelPlace.Type { OddPlace<Half>.self }
        if index == 0 { return FirstPlace.self }
        let half = place(index / 2)
        return index % 2 == 0 ? even(half) : odd(half)
    }
}

/// A value of any enumeration of the schema.
struct EnumValue: EnumPersistable, RawRepresentable {
    let rawValue: String

    init?(rawValue: String) { self.rawValue = rawValue }
}

/// A value of any embedded type of the schema; cells have it as JSON.
struct EmbeddedValue: Embeddable {}
