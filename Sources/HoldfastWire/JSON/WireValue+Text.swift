extension WireValue {
    /// Reads a JSON text.
    ///
    /// - Parameters:
    ///   - bytes: The whole text as UTF-8.
    ///   - limits: How much is read at most.
    /// - Throws: ``WireError`` `.syntax`, `.limit`, or `.mismatch` as ``JSONReader/value()``.
    public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(WireError) {
        self = try JSONReader.read(bytes, limits: limits) { (reader) throws(WireError) in try reader.value() }
    }

    /// The text, without white space, as UTF-8.
    public var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The text, without white space.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}
