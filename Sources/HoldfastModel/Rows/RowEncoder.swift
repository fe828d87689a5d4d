import Foundation
import HoldfastStorage

/// Encodes a model that has no row codec of its own as the cells of one row.
final class RowEncoder: Encoder {
    private let layout: RowLayout
    private var guess = 0
    private var cells: [Value]
    /// The has-one relations whose key this model holds, and the columns that hold it.
    ///
    /// Read at the end, since the fields of these columns may come after the relation.
    private var held: [(columns: [Int], relation: any RelatedValue)] = []

    private init(layout: RowLayout) {
        self.layout = layout
        cells = Array(repeating: .null, count: layout.columns.count)
    }

    /// Writes a model's cells.
    static func write<M: Model>(_ model: M, to writer: inout RowWriter) throws(ModelError) {
        let encoder = RowEncoder(layout: M.schema.layout)
        do {
            try model.encode(to: encoder)
        } catch let error as ModelError {
            throw error
        } catch {
            throw ModelError(.encodingFailed, "A value of model '\(encoder.layout.model)' has no stored form.")
        }
        for (columns, relation) in encoder.held {
            let key = try relation.assignedKey(over: columns.map { encoder.cells[$0] })
            if let key { try encoder.setKey(key, columns) }
        }
        for cell in encoder.cells { writer.rows.appendCell(cell) }
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RowEncodingContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { CellEncoder(type: .json).unkeyedContainer() }
    func singleValueContainer() -> any SingleValueEncodingContainer { CellEncoder(type: .json).singleValueContainer() }

    @inline(__always)
    private func position(_ name: String) -> Int? {
        guard let position = layout.position(of: name, guess: guess) else { return nil }
        guess = position + 1
        return position
    }

    /// Sets the cell of a field; a name that is not a field with a value is skipped.
    @inline(__always)
    func set(_ value: Value, _ name: String) {
        guard let position = position(name), layout.valueColumns[position] >= 0 else { return }
        cells[layout.valueColumns[position]] = value
    }

    /// Encodes the value of a field.
    func encode<T: Encodable>(_ value: T, _ name: String) throws {
        guard let position = position(name) else { return }
        let column = layout.valueColumns[position]
        if column >= 0, !layout.holdsEmbedded[position] {
            if T.self == Temporal.DateTime.self {
                // T is this very type, as was just asked.
                cells[column] = unsafeBitCast(value, to: Temporal.DateTime.self).storageValue
                return
            }
            if let value = value as? any RowValue {
                cells[column] = value.storageValue
                return
            }
        }
        switch layout.entries[position].kind {
        case .value(let column, let type): cells[column] = try CellEncoder.cell(of: value, type: type)
        case .parent(let columns): try setKey(of: value, columns)
        case .child(let columns, []) where !columns.contains(where: layout.primaryKeyColumns.contains):
            if let relation = value as? any RelatedValue { held.append((columns, relation)) }
        case .child, .children: return
        }
    }

    private func setKey(of value: Any, _ columns: [Int]) throws {
        let key: RecordKey?
        if let value = value as? any RelatedValue {
            key = try value.relatedKey()
        } else if let model = ((value as? any OptionalType)?.wrappedValue ?? value) as? any Model {
            key = try model.recordKey()
        } else {
            return
        }
        if let key { try setKey(key, columns) }
    }

    private func setKey(_ key: RecordKey, _ columns: [Int]) throws(ModelError) {
        guard key.components.count == columns.count else {
            throw ModelError(
                .encodingFailed, "A relation of '\(layout.model)' does not match the primary key of the related model.")
        }
        for (column, component) in zip(columns, key.components) { cells[column] = component }
    }
}
