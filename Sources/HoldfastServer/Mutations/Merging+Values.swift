import HoldfastStorage
import HoldfastWire

extension Merging {
    /// The value that a field has after a merge.
    ///
    /// - Parameters:
    ///   - stored: What the store has.
    ///   - incoming: What a client sends without having seen it; null leaves the stored value.
    /// - Returns: Both values joined; only one of them if the other is null; the stored one if they cannot be joined.
    func merge(_ stored: Value, _ incoming: Value) -> Value {
        if incoming.isNull { return stored }
        if stored.isNull { return incoming }
        switch (self, stored, incoming) {
        case (.list, .list(let stored), .list(let incoming)): return .list(stored + incoming)
        case (.set, .list(let stored), .list(let incoming)):
            var known = Set(stored)
            return .list(stored + incoming.filter { known.insert($0).inserted })
        case (.map, .text(let stored), .text(let incoming)):
            guard let old = try? WireValue(parsing: Array(stored.utf8)),
                let new = try? WireValue(parsing: Array(incoming.utf8))
            else { return .text(stored) }
            return .text(Self.merge(old, new).text)
        default: return stored
        }
    }

    /// The value inside a map after a merge, where no type says what it is.
    static func merge(_ stored: WireValue, _ incoming: WireValue) -> WireValue {
        switch (stored, incoming) {
        case (.null, _): return incoming
        case (.array(let stored), .array(let incoming)): return .array(stored + incoming)
        case (.object(var object), .object(let incoming)):
            object.merge(incoming, merge)
            return .object(object)
        default: return stored
        }
    }
}
