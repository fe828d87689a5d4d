import Foundation
import HoldfastStorage

/// Decodes one row as a model that has no row codec of its own.
///
/// Keys are first looked for in the order of the schema, which is the order in which `Decodable` asks for them.
final class RowDecoder: Decoder {
    let row: RowReader
    let layout: RowLayout
    private var guess = 0
    /// The fields whose values did not fit when they were last asked for.
    private var failures: [(field: String, error: DecodingError)] = []

    init(_ row: RowReader, layout: RowLayout) {
        self.row = row
        self.layout = layout
    }

    /// Decodes a model.
    ///
    /// Generated models ask for optional values with `try?`. A value that does not fit is an error all the same: as `nil`,
    /// it would be lost when the record is saved.
    static func decode<M: Model>(_ type: M.Type, from row: RowReader) throws(ModelError) -> M {
        let layout = M.schema.layout
        do {
            let decoder = RowDecoder(row, layout: layout)
            let model = try M(from: decoder)
            if let failure = decoder.failures.first { throw failure.error }
            return model
        } catch let error as ModelError {
            throw error
        } catch let error as DecodingError {
            throw ModelError(.decodingFailed, "A stored row of '\(layout.model)' does not fit: \(error.location).")
        } catch {
            throw ModelError(.decodingFailed, "A stored row of '\(layout.model)' does not fit the model.")
        }
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { row.loader.map { [.modelLoader: $0] } ?? [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowDecodingContainer(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw ModelError(.decodingFailed, "Model '\(layout.model)' asks for an array; a row has named fields.")
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw ModelError(.decodingFailed, "Model '\(layout.model)' asks for one value; a row has named fields.")
    }

    /// The position of the field of a key, or `nil` if the model's schema has none.
    @inline(__always)
    private func position(_ name: String) -> Int? {
        // A model may ask again for another type.
        if !failures.isEmpty { failures.removeAll { $0.field == name } }
        guard let position = layout.position(of: name, guess: guess) else { return nil }
        guess = position + 1
        return position
    }

    /// The cell of a field; null for a relation or an unknown field.
    @inline(__always)
    func cell(_ name: String) -> Value {
        guard let position = position(name), layout.valueColumns[position] >= 0 else { return .null }
        return row.cell(layout.valueColumns[position])
    }

    /// Whether a field has a value or leads to records.
    func isNull(_ name: String) -> Bool {
        guard let position = layout.position(of: name, guess: guess) else { return true }
        return switch layout.entries[position].kind {
        case .value(let column, _): row.cell(column).isNull
        case .parent(let columns): row.key(columns) == nil
        case .child, .children: false
        }
    }

    /// Whether a field leads to records of another model.
    func isRelation(_ name: String) -> Bool {
        layout.position(of: name, guess: guess).map { layout.entries[$0].relatedModel != nil } ?? false
    }

    /// The value of a field, or `nil` if it is null and the type cannot be.
    func decode<T: Decodable>(_ type: T.Type, _ key: some CodingKey) throws -> T? {
        guard let position = position(key.stringValue) else { return nil }
        let column = layout.valueColumns[position]
        if column >= 0, !layout.holdsEmbedded[position] {
            let cell = row.cell(column)
            if type == Temporal.DateTime.self {
                if cell.isNull { return nil }
                guard let value = Temporal.DateTime(storageValue: cell) else { throw mismatch(type, key) }
                // T is this very type, as was just asked.
                return unsafeBitCast(value, to: T.self)
            }
            if let type = type as? any RowValue.Type {
                if let value: T = Self.value(type, cell) { return value }
                if cell.isNull { return nil }
                throw mismatch(type, key)
            }
        }
        let entry = layout.entries[position]
        switch entry.kind {
        case .value(let column, let fieldType):
            return try jsonValue(type, row.cell(column), fieldType, key)
        case .parent(let columns):
            return try related(type, entry, columns, isHeldHere: true)
        case .child(let columns, let fields):
            return try related(type, entry, columns, isHeldHere: fields.isEmpty)
        case .children:
            return try related(type, entry, layout.primaryKeyColumns, isHeldHere: false)
        }
    }

    /// The value of a cell, whose type is also known as `T`.
    private static func value<V: RowValue, T>(_ type: V.Type, _ cell: Value) -> T? {
        guard let value = V(storageValue: cell), V.self == T.self else { return nil }
        return unsafeBitCast(value, to: T.self)
    }

    private func related<T: Decodable>(
        _ type: T.Type, _ entry: RowLayout.Entry, _ columns: [Int], isHeldHere: Bool
    ) throws -> T? {
        if let type = type as? any RelatedValue.Type {
            return type.related(in: row, entry, primaryKey: layout.primaryKeyColumns) as? T
        }
        if let model = type as? any Model.Type {
            return try model.parent(in: row, entry.name, columns, isHeldHere: isHeldHere) as? T
        }
        if let optional = type as? any OptionalType.Type, let model = optional.wrappedType as? any Model.Type {
            return try optional.wrap(model.parent(in: row, entry.name, columns, isHeldHere: isHeldHere)) as? T
        }
        return nil
    }

    private func jsonValue<T: Decodable>(
        _ type: T.Type, _ cell: Value, _ fieldType: FieldType, _ key: some CodingKey
    ) throws -> T? {
        if cell.isNull, !(type is any OptionalType.Type) { return nil }
        do {
            return try JSONCoding.decoder.decode(type, from: Data(JSONCoding.text(of: cell, type: fieldType).utf8))
        } catch {
            throw mismatch(type, key)
        }
    }

    /// What is thrown for a value that does not fit, and noted.
    func mismatch(_ type: Any.Type, _ key: some CodingKey) -> DecodingError {
        let error = DecodingError.typeMismatch(
            type, DecodingError.Context(codingPath: [key], debugDescription: "the stored value does not fit the field"))
        failures.append((key.stringValue, error))
        return error
    }
}

extension DecodingError {
    /// The field and what is wrong with it, without values.
    fileprivate var location: String {
        let (path, problem): ([any CodingKey], String) =
            switch self {
            case .typeMismatch(_, let context): (context.codingPath, "has another type")
            case .valueNotFound(_, let context): (context.codingPath, "is null")
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is not in the schema")
            case .dataCorrupted(let context): (context.codingPath, "is malformed")
            @unknown default: ([], "cannot be read")
            }
        return "'" + path.map(\.stringValue).joined(separator: ".") + "' " + problem
    }
}

extension Model {
    fileprivate static func parent(
        in row: RowReader, _ field: String, _ columns: [Int], isHeldHere: Bool
    ) throws(ModelError) -> Self? {
        try row.parent(field, keyColumns: columns, isHeldHere: isHeldHere, as: Self.self)
    }
}
