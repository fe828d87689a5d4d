/// A record as the service has it.
struct FoundRecord<Content: Sendable>: Sendable {
    /// Whether it is a tombstone.
    var isDeleted: Bool
    /// Its values.
    var content: Content
}

extension FoundRecord: Equatable where Content: Equatable {}
