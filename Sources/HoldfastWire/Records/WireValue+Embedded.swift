extension JSONReader {
    /// Reads an object as the JSON text that the store keeps for an embedded value.
    mutating func embeddedText() throws(WireError) -> String {
        guard next == .object else { throw mismatch(.object) }
        return try value().embedded.text
    }
}

extension WireValue {
    /// The value without `__typename` and without members that are null, members sorted, numbers in one spelling.
    ///
    /// Local code writes embedded values so; a value that comes back from a service then compares equal.
    var embedded: WireValue {
        switch self {
        case .null, .boolean, .string: return self
        case .number(let number): return .number(number.shortest)
        case .array(let elements): return .array(elements.map(\.embedded))
        case .object(let object):
            var result = JSONObject()
            let members = object.members.filter { $0.name != "__typename" && !$0.value.isNull }
            for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                result.append(unique: member.name, member.value.embedded)
            }
            return .object(result)
        }
    }
}

extension JSONNumber {
    /// The number as Swift's encoders write it: whole numbers without a fraction, others with the fewest digits.
    var shortest: JSONNumber {
        if Int64(text) != nil { return self }
        guard let double else { return self }
        if let integer = Int64(exactly: double), integer.magnitude < 1 << 53 { return JSONNumber(integer) }
        return JSONNumber(double) ?? self
    }
}
