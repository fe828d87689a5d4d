import HoldfastStorage

/// Takes the fields of a model by its keys.
struct RowEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RowEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {}
    func encode(_ value: Bool, forKey key: Key) { encoder.set(.boolean(value), key.stringValue) }
    func encode(_ value: String, forKey key: Key) { encoder.set(.text(value), key.stringValue) }
    func encode(_ value: Double, forKey key: Key) { encoder.set(.double(value), key.stringValue) }
    func encode(_ value: Float, forKey key: Key) { encoder.set(.double(Double(value)), key.stringValue) }
    func encode(_ value: Int, forKey key: Key) { encoder.set(.integer(Int64(value)), key.stringValue) }
    func encode(_ value: Int8, forKey key: Key) { encoder.set(.integer(Int64(value)), key.stringValue) }
    func encode(_ value: Int16, forKey key: Key) { encoder.set(.integer(Int64(value)), key.stringValue) }
    func encode(_ value: Int32, forKey key: Key) { encoder.set(.integer(Int64(value)), key.stringValue) }
    func encode(_ value: Int64, forKey key: Key) { encoder.set(.integer(value), key.stringValue) }
    func encode(_ value: UInt, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt8, forKey key: Key) { encoder.set(.integer(Int64(value)), key.stringValue) }
    func encode(_ value: UInt16, forKey key: Key) { encoder.set(.integer(Int64(value)), key.stringValue) }
    func encode(_ value: UInt32, forKey key: Key) { encoder.set(.integer(Int64(value)), key.stringValue) }
    func encode(_ value: UInt64, forKey key: Key) throws { try integer(value, key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.encode(value, key.stringValue) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        CellEncoder(type: .json).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        CellEncoder(type: .json).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder }

    private func integer(_ value: some BinaryInteger, _ key: Key) throws {
        guard let integer = Int64(exactly: value) else {
            throw ModelError(.encodingFailed, "The integer in '\(key.stringValue)' does not fit 64 signed bits.")
        }
        encoder.set(.integer(integer), key.stringValue)
    }
}
