/// A record as the service has it.
struct FoundRecord<Content: Sendable>: Sendable {
    /// Whether it is a tombstone.
    var isDeleted: Bool
    /// Its values.
    var content: Content
    /// Whether it has what an update changes as it was before the update.
    var isUntouched = false
}

extension FoundRecord: Equatable where Content: Equatable {}
