extension ServiceError {
    /// Reads the errors of an answer whose status is not 200, and ignores everything else in it.
    ///
    /// - Throws: ``WireError`` for a body that is not JSON or no object, as proxies send it.
    public static func all(in body: [UInt8], limits: JSONLimits = JSONLimits()) throws(WireError) -> [ServiceError] {
        var errors: [ServiceError] = []
        try JSONReader.read(body, limits: limits) { (reader) throws(WireError) in
            try reader.object { (reader, name) throws(WireError) in
                if name == "errors" { errors = try read(&reader) }
            }
        }
        return errors
    }

    /// Reads the errors of a response or a frame: an array of objects, or one object in its place.
    ///
    /// The members of an error may be at the top, as AppSync writes them, or in `extensions`, which then win.
    static func read(_ reader: inout JSONReader) throws(WireError) -> [ServiceError] {
        switch reader.next {
        case .null:
            reader.skip()
            return []
        case .array:
            var errors: [ServiceError] = []
            try reader.array { (reader, _) throws(WireError) in
                if !reader.isNull() { errors.append(try ServiceError(&reader)) }
            }
            return errors
        default: return [try ServiceError(&reader)]
        }
    }

    private init(_ reader: inout JSONReader) throws(WireError) {
        guard let object = try reader.value().object else {
            throw WireError(.mismatch, "a value where an error object is expected")
        }
        let extensions = object["extensions"]?.object
        func member(_ name: String) -> WireValue? {
            for value in [extensions?[name], object[name]] { if let value, !value.isNull { return value } }
            return nil
        }
        self.init(
            object["message"]?.string ?? member("message")?.string ?? "", errorType: member("errorType")?.string,
            errorInfo: member("errorInfo"), data: member("data"), path: object["path"]?.array,
            locations: object["locations"]?.array?.compactMap(Self.location),
            errorCode: member("errorCode")?.integer.flatMap { Int(exactly: $0) })
    }

    private static func location(_ value: WireValue) -> Location? {
        guard let line = value["line"]?.integer, let column = value["column"]?.integer else { return nil }
        return Location(line: Int(clamping: line), column: Int(clamping: column))
    }

    /// The error as AppSync writes it: flat, with all six members.
    public var json: WireValue {
        let locations = locations?.map { location -> WireValue in
            ["line": .integer(Int64(location.line)), "column": .integer(Int64(location.column)), "sourceName": nil]
        }
        return [
            "path": path.map { .array($0) } ?? nil, "data": data ?? nil,
            "errorType": errorType.map { .string($0) } ?? nil, "errorInfo": errorInfo ?? nil,
            "locations": locations.map { .array($0) } ?? nil, "message": .string(message),
        ]
    }
}
