import HoldfastStorage

/// What the subscriptions to an event have in common: payloads, each written once for all that select the same, and
/// what the filters of one connection compare.
final class EventPayloads: Sendable {
    /// More selections than this are written for each subscription.
    private static let limit = 16

    /// A list, as the few names are compared sooner than hashed.
    private let ends = Mutex<[(selection: String, end: [UInt8])]>([])
    private let comparedByteCounts = Mutex<[ObjectIdentifier: Int]>([:])

    /// The end of the frames of a selection, from the payload on; `nil` if none was kept.
    subscript(_ selection: String) -> [UInt8]? {
        ends.withLock { ends in ends.first { $0.selection == selection }?.end }
    }

    /// Keeps the end of the frames of a selection.
    func keep(_ end: [UInt8], of selection: String) {
        ends.withLock { if $0.count < Self.limit { $0.append((selection, end)) } }
    }

    /// Counts bytes that a filter is about to compare.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes.
    ///   - connection: What the subscriptions of the filter's connection have in common.
    /// - Returns: The bytes that filters of the connection have compared for the event, with these.
    func count(_ byteCount: Int, for connection: ObjectIdentifier) -> Int {
        comparedByteCounts.withLock { counts in
            let sum = counts[connection, default: 0] + byteCount
            counts[connection] = sum
            return sum
        }
    }
}

extension Subscription {
    /// What the payload depends on besides the event; `nil` if it depends on who receives it, or on other records.
    static func payloadKey(_ response: String, _ selection: RecordSelection) -> String? {
        guard selection.relations.isEmpty else { return nil }
        var key = response
        for entry in selection.entries {
            // Names have neither spaces nor colons.
            switch entry.content {
            case .typename: key += " \(entry.response)"
            case .column(let column, .always, nil): key += " \(entry.response):\(column.name)"
            case .column, .relation: return nil
            }
        }
        return key
    }
}
