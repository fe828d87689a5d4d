import HoldfastStorage

/// The fields of a row by a model's keys.
struct RowDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RowDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.layout.entries.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { decoder.layout.position(of: key.stringValue, guess: 0) != nil }
    func decodeNil(forKey key: Key) -> Bool { decoder.isNull(key.stringValue) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try scalar(Double.self, key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        guard let value = try decoder.decode(type, key) else {
            if let model = type as? any Model.Type, decoder.isRelation(key.stringValue) {
                throw RowReader.missing(key.stringValue, model)
            }
            throw missing(type, key)
        }
        return value
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try scalarIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try scalarIfPresent(type, key) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try decoder.decode(type, key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw decoder.mismatch(type, key) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw decoder.mismatch([Any].self, key)
    }

    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder }

    @inline(__always)
    private func scalar<T: RowValue>(_ type: T.Type, _ key: Key) throws -> T {
        guard let value = try scalarIfPresent(type, key) else { throw missing(type, key) }
        return value
    }

    @inline(__always)
    private func scalarIfPresent<T: RowValue>(_ type: T.Type, _ key: Key) throws -> T? {
        let cell = decoder.cell(key.stringValue)
        if let value = T(storageValue: cell) { return value }
        if cell.isNull { return nil }
        throw decoder.mismatch(type, key)
    }

    private func integer<T: BinaryInteger>(_ type: T.Type, _ key: Key) throws -> T {
        guard let value = T(exactly: try scalar(Int64.self, key)) else { throw decoder.mismatch(type, key) }
        return value
    }

    private func missing(_ type: Any.Type, _ key: Key) -> DecodingError {
        guard contains(key) else {
            return .keyNotFound(key, DecodingError.Context(codingPath: [], debugDescription: "no field of the schema"))
        }
        return .valueNotFound(type, DecodingError.Context(codingPath: [key], debugDescription: "null where a value is"))
    }
}
