/// Where the state of one record comes from: the store, the service, and what is on its way between them.
public struct RecordExplanation: Sendable, Hashable {
    /// What the service last said of a record.
    public struct ServiceState: Sendable, Hashable {
        /// The service's version; 0 if it has made the record again since, which waits until the local changes are
        /// answered.
        public var version: Int64
        /// When the service changed it, in milliseconds since 1970-01-01T00:00Z by its own clock.
        public var lastChangedAt: Int64
        /// Whether the service has deleted it.
        public var isDeleted: Bool
        /// Whether it left the sync expression, so that it is not kept here.
        public var isOutside: Bool
    }

    /// What the service said of a record and cannot be applied yet.
    public struct Shelved: Sendable, Hashable {
        /// The service's version.
        public var version: Int64
        /// Whether the service has deleted it.
        public var isDeleted: Bool
        /// Why: `inFlight`, `conflict`, or `notStorable`.
        public var reason: String
    }

    /// The model's name.
    public let modelName: String
    /// Whether the store has the record.
    public let isStored: Bool
    /// What the record here is based on; `nil` if the service never said anything of it.
    public let service: ServiceState?
    /// The local changes on top of that, oldest first.
    public let unsent: [OutboxEntry]
    /// What waits until those are answered, or until the models can hold it; `nil` if nothing does.
    public let shelved: Shelved?
    /// The local changes that were given up, oldest first; not those of other users.
    public let deadLetters: [DeadLetter]
}

extension RecordExplanation: CustomStringConvertible {
    /// The explanation in words; no values of the record.
    public var description: String {
        var lines = ["The store \(isStored ? "has" : "does not have") the '\(modelName)'."]
        if let service {
            lines.append(
                service.version == 0 && !service.isDeleted
                    ? "The service has made it again since."
                    : "The service has \(service.isDeleted ? "deleted it" : "it") at version \(service.version)."
                        + (service.isOutside ? " It left the sync expression." : ""))
        } else {
            lines.append("The service has said nothing of it.")
        }
        for entry in unsent {
            let fields = entry.changedFields.isEmpty ? "" : " of \(entry.changedFields.joined(separator: ", "))"
            lines.append("A local \(entry.operation.rawValue)\(fields) \(entry.stage.words).")
        }
        if let shelved {
            let state = shelved.isDeleted ? "deletion" : "record"
            lines.append("The service's \(state) of version \(shelved.version) waits: \(shelved.reason).")
        }
        for letter in deadLetters {
            lines.append("A local \(letter.operation.rawValue) was given up: \(letter.errorType ?? "no reason known").")
        }
        return lines.joined(separator: "\n")
    }
}

extension OutboxEntry.Stage {
    fileprivate var words: String {
        switch self {
        case .inFlight: "was or may have been sent, and has no answer yet"
        case .pending: "awaits the service"
        }
    }
}
