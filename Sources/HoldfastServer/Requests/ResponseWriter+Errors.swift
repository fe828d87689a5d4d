import HoldfastGraphQL
import HoldfastWire

extension ResponseWriter {
    /// A whole response of a request that was not carried out.
    static func refusal(_ faults: [(fault: RequestFault, location: Location?)]) -> [UInt8] {
        // It has no records.
        var writer = ResponseWriter(byteCount: 0)
        writer.json.beginObject()
        writer.json.name("data")
        writer.json.null()
        for (fault, location) in faults { writer.fail(fault, location: location, hasPath: false) }
        writer.finish()
        return writer.json.bytes
    }

    /// Writes the errors and ends the response.
    mutating func finish() {
        if !errors.isEmpty {
            json.name("errors")
            json.beginArray()
            for entry in errors { write(entry) }
            json.endArray()
        }
        json.endObject()
    }

    /// Writes one error with the members that the service has at the top level.
    private mutating func write(_ entry: Entry) {
        json.beginObject()
        json.name("path")
        if let path = entry.path {
            json.beginArray()
            for step in path {
                switch step {
                case .name(let name): json.string(name)
                case .index(let index): json.integer(Int64(index))
                }
            }
            json.endArray()
        } else {
            json.null()
        }
        if entry.path != nil || entry.fault.type != nil {
            json.name("data")
            json.value(entry.data)
            json.name("errorType")
            json.value(entry.fault.type.map(WireValue.string) ?? .null)
            json.name("errorInfo")
            json.null()
        }
        json.name("locations")
        if let location = entry.location, location != .none {
            json.value([
                ["line": .integer(Int64(location.line)), "column": .integer(Int64(location.column)), "sourceName": nil]
            ])
        } else {
            json.null()
        }
        json.name("message")
        json.string(entry.fault.message)
        json.endObject()
    }
}
