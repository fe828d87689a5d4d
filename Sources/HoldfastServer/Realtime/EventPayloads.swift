import HoldfastStorage

/// The payload of an event, written once for all subscriptions that select the same.
final class EventPayloads: Sendable {
    /// More selections than this are written for each subscription.
    private static let limit = 16

    /// A list, as the few names are compared sooner than hashed.
    private let ends = Mutex<[(selection: String, end: [UInt8])]>([])

    /// The end of the frames of a selection, from the payload on; `nil` if none was kept.
    subscript(_ selection: String) -> [UInt8]? {
        ends.withLock { ends in ends.first { $0.selection == selection }?.end }
    }

    /// Keeps the end of the frames of a selection.
    func keep(_ end: [UInt8], of selection: String) {
        ends.withLock { if $0.count < Self.limit { $0.append((selection, end)) } }
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
