import Foundation
import HoldfastStorage

/// Encodes one value, or the elements of a list, as a cell.
final class CellEncoder: Encoder {
    private let type: FieldType
    fileprivate var cell: Value = .null
    fileprivate var elements: [Value]?

    init(type: FieldType) { self.type = type }

    /// The cell of a value in a field of a type.
    static func cell<T: Encodable>(of value: T, type: FieldType) throws -> Value {
        if T.self == Temporal.DateTime.self, let value = value as? Temporal.DateTime { return value.storageValue }
        if !type.isEmbedded, let value = value as? any RowValue { return value.storageValue }
        if case .embedded = type {
            let json = String(decoding: try JSONCoding.encoder.encode(value), as: UTF8.self)
            return json == "null" ? .null : .text(json)
        }
        if let date = value as? Date { return Temporal.DateTime(date).storageValue }
        let encoder = CellEncoder(type: type)
        try value.encode(to: encoder)
        return encoder.elements.map(Value.list) ?? encoder.cell
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy keyType: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RefusingContainer())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        elements = elements ?? []
        return ListContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { ValueContainer(encoder: self) }

    fileprivate var elementType: FieldType {
        if case .list(let element, _) = type { element } else { type }
    }

    /// Takes one value.
    private struct ValueContainer: SingleValueEncodingContainer {
        let encoder: CellEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { encoder.cell = .null }

        func encode<T: Encodable>(_ value: T) throws {
            if let value = value as? any BinaryInteger {
                encoder.cell = .integer(try CellEncoder.integer(value))
            } else if let value = value as? Float {
                encoder.cell = .double(Double(value))
            } else {
                encoder.cell = try CellEncoder.cell(of: value, type: encoder.type)
            }
        }
    }

    /// Takes the elements of a list.
    private struct ListContainer: UnkeyedEncodingContainer {
        let encoder: CellEncoder
        var codingPath: [any CodingKey] { [] }
        var count: Int { encoder.elements?.count ?? 0 }

        func encodeNil() { encoder.elements?.append(.null) }

        func encode<T: Encodable>(_ value: T) throws {
            if let value = value as? any BinaryInteger {
                encoder.elements?.append(.integer(try CellEncoder.integer(value)))
            } else {
                encoder.elements?.append(try CellEncoder.cell(of: value, type: encoder.elementType))
            }
        }

        func nestedContainer<NestedKey: CodingKey>(keyedBy: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
            KeyedEncodingContainer(RefusingContainer())
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
        func superEncoder() -> any Encoder { encoder }
    }

    private static func integer(_ value: some BinaryInteger) throws -> Int64 {
        guard let integer = Int64(exactly: value) else {
            throw ModelError(.encodingFailed, "An integer does not fit 64 signed bits.")
        }
        return integer
    }
}

/// Refuses named fields where a field of the schema holds one value.
private struct RefusingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) throws { throw refusal }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw refusal }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(RefusingContainer<NestedKey>()) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        CellEncoder(type: .json).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { CellEncoder(type: .json) }
    func superEncoder(forKey key: Key) -> any Encoder { CellEncoder(type: .json) }

    private var refusal: ModelError {
        ModelError(.encodingFailed, "A value with fields of its own needs an embedded type in the schema.")
    }
}
