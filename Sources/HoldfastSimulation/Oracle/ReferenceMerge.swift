import HoldfastEngine
import HoldfastStorage
import HoldfastWire

/// What a service that merges must make of a change of an older version; not the code of the service, which this
/// judges.
enum ReferenceMerge {
    /// The value that a field has after a merge.
    ///
    /// - Parameters:
    ///   - stored: What the service has.
    ///   - sent: What a client sends without having seen that.
    ///   - type: The field's type.
    /// - Returns: What the service has, or what is sent where it has nothing; lists one after the other, objects and
    ///   JSON member by member.
    static func merged(_ stored: Value, _ sent: Value, of type: FieldType) -> Value {
        if sent.isNull { return stored }
        if stored.isNull { return sent }
        switch (type, stored, sent) {
        case (.list, .list(let old), .list(let new)): return .list(old + new)
        case (.json, .text(let old), .text(let new)), (.embedded, .text(let old), .text(let new)):
            guard let old = try? WireValue(parsing: Array(old.utf8)), let new = try? WireValue(parsing: Array(new.utf8))
            else { return stored }
            return .text(merged(old, new).text)
        default: return stored
        }
    }

    private static func merged(_ stored: WireValue, _ sent: WireValue) -> WireValue {
        if stored.isNull { return sent }
        if let old = stored.array, let new = sent.array { return .array(old + new) }
        guard var object = stored.object, let other = sent.object else { return stored }
        for member in other.members { object[member.name] = merged(object[member.name] ?? .null, member.value) }
        return .object(object)
    }

    /// Whether two values of a type mean the same; a member that is null is as good as none.
    static func isSame(_ left: Value, _ right: Value, of type: FieldType) -> Bool {
        type.meansTheSame(left.withoutNullMembers(type), right.withoutNullMembers(type))
    }
}

extension Value {
    /// The value as clients keep it, who leave out members that are null.
    fileprivate func withoutNullMembers(_ type: FieldType) -> Value {
        switch (type, self) {
        case (.list(let element, _), .list(let values)): return .list(values.map { $0.withoutNullMembers(element) })
        case (.json, .text(let text)), (.embedded, .text(let text)):
            guard let value = try? WireValue(parsing: Array(text.utf8)) else { return self }
            return .text(value.withoutNullMembers.text)
        default: return self
        }
    }
}

extension WireValue {
    fileprivate var withoutNullMembers: WireValue {
        switch self {
        case .array(let elements): return .array(elements.map(\.withoutNullMembers))
        case .object(let object):
            var result = JSONObject()
            for member in object.members where !member.value.isNull {
                result[member.name] = member.value.withoutNullMembers
            }
            return .object(result)
        default: return self
        }
    }
}
