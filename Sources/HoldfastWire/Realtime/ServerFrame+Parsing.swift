extension ServerFrame {
    /// Reads a frame.
    ///
    /// - Parameters:
    ///   - bytes: The text of the frame.
    ///   - limits: How much is read at most; by default as much as the transport has read.
    /// - Throws: ``WireError`` for text that is not a frame, and for one of a known type without what it needs.
    public init(
        parsing bytes: [UInt8], limits: JSONLimits = .received
    ) throws(WireError) {
        var type: String?
        var id: String?
        var payload: [UInt8]?
        try JSONReader.read(bytes, limits: limits) { (reader) throws(WireError) in
            try reader.object { (reader, name) throws(WireError) in
                switch name {
                case "type": type = try reader.string()
                case "id": id = reader.isNull() ? nil : try reader.string()
                case "payload": payload = reader.isNull() ? nil : reader.raw()
                default: break
                }
            }
        }
        guard let type else { throw WireError(.missing, "no 'type'") }
        switch type {
        case "connection_ack": self = .connectionAck(timeoutMilliseconds: try Self.timeout(payload))
        case "ka": self = .keepAlive
        case "start_ack": self = .startAck(id: try Self.required(id))
        case "data":
            guard let payload else { throw WireError(.missing, "no 'payload'") }
            self = .data(id: try Self.required(id), payload: payload)
        case "complete": self = .complete(id: try Self.required(id))
        case "error": self = .error(id: id, errors: try Self.errors(payload, limits))
        case "connection_error": self = .connectionError(errors: try Self.errors(payload, limits))
        default: self = .unknown
        }
    }

    private static func required(_ id: String?) throws(WireError) -> String {
        guard let id else { throw WireError(.missing, "no 'id'") }
        return id
    }

    private static func timeout(_ payload: [UInt8]?) throws(WireError) -> Int64? {
        guard let payload else { return nil }
        return try WireValue(parsing: payload)["connectionTimeoutMs"]?.integer
    }

    /// The errors of a payload, which itself is the error in an older form of the service.
    private static func errors(_ payload: [UInt8]?, _ limits: JSONLimits) throws(WireError) -> [ServiceError] {
        guard let payload else { return [] }
        let value = try WireValue(parsing: payload, limits: limits)
        let errors = value["errors"] ?? value
        do throws(WireError) {
            return try JSONReader.read(errors.text, limits: limits) { (reader) throws(WireError) in
                try ServiceError.read(&reader)
            }
        } catch {
            throw WireError(error.kind, error.reason, path: "payload.errors")
        }
    }
}

extension JSONReader {
    /// Reads a value as its text.
    mutating func raw() -> [UInt8] {
        _ = nextByte()
        let start = position
        skip()
        return Array(bytes[start..<position])
    }
}
