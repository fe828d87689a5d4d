extension WireValue {
    /// Reads JSON that is written in base64, in either alphabet, with or without padding.
    ///
    /// - Throws: ``WireError`` if it is not base64, or not JSON within the limits.
    package init(base64 text: String, limits: JSONLimits) throws(WireError) {
        guard let bytes = Base64.bytes(text) else { throw WireError(.syntax, "text that is not base64") }
        try self.init(parsing: bytes, limits: limits)
    }
}
