/// What ``DataStore/importRecords(from:batchSize:repeatsFinished:progress:)`` did in one call.
public struct ImportReport: Sendable, Hashable {
    /// What became of the records of one model.
    public struct Model: Sendable, Hashable {
        /// The model's name.
        public var name: String
        /// Records that were created.
        public var importedCount = 0
        /// Records that the target had already, or had deleted; it kept what it had.
        public var presentCount = 0
        /// Records that the service had deleted, or whose deletion is unsent, that the target now knows of.
        public var tombstoneCount = 0
        /// Fields of the model that the source does not have; they are null, in the model's order.
        public var absentFields: [String] = []
        /// Fields and relations of the source that the model does not have; they were left behind, by name.
        public var unknownFields: [String] = []

        init(_ name: String) { self.name = name }
    }

    /// Things that could not be taken over for one reason.
    public struct Rejection: Sendable, Hashable {
        /// What it is about.
        public enum Subject: String, Sendable, Hashable {
            /// A record, with what belongs to it.
            case record
            /// What the service said of a deleted record.
            case metadata
            /// An unsent change.
            case mutation
        }

        /// What it is about.
        public let subject: Subject
        /// The entity in the source.
        public let entity: String
        /// Why; a sentence with names but without values.
        public let reason: String
        /// How many there are.
        public internal(set) var count = 0
        /// The positions of the first 100 of them in the source.
        public internal(set) var positions: [Int64] = []
    }

    /// Whether an earlier call had finished the import, so that this one did nothing.
    public internal(set) var wasFinished = false
    /// The models that the source has, in the order in which they were imported.
    public internal(set) var models: [Model] = []
    /// Models of the store that the source has no records for, by name.
    public internal(set) var absentModels: [String] = []
    /// Entities of the source that are not models of the store; they were left behind, by name.
    public internal(set) var unknownEntities: [String] = []
    /// Entries that were put into the outbox.
    public internal(set) var outboxEntryCount = 0
    /// Conditions of unsent changes that were dropped: the source says only that a change had one, not which.
    public internal(set) var droppedConditionCount = 0
    /// What could not be taken over; once there are 200 reasons, all others count as one.
    public internal(set) var rejections: [Rejection] = []

    /// Records that were created, of all models.
    public var importedCount: Int { models.reduce(0) { $0 + $1.importedCount } }
    /// Things that could not be taken over.
    public var rejectedCount: Int { rejections.reduce(0) { $0 + $1.count } }

    /// What became of the records of a model, or `nil` if the source has none.
    public func model(named name: String) -> Model? { models.first { $0.name == name } }

    mutating func reject(_ subject: Rejection.Subject, _ entity: String, _ reason: String, at position: Int64) {
        func index(of reason: String) -> Int? {
            rejections.firstIndex { $0.subject == subject && $0.entity == entity && $0.reason == reason }
        }
        var (reason, found) = (reason, index(of: reason))
        if found == nil && rejections.count >= 200 {
            reason = "Other reasons."
            found = index(of: reason)
        }
        let index = found ?? rejections.count
        if found == nil { rejections.append(Rejection(subject: subject, entity: entity, reason: reason)) }
        rejections[index].count += 1
        if rejections[index].positions.count < 100 { rejections[index].positions.append(position) }
    }
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// The model at which it is.
    public let model: String
    /// How many of its records were looked at.
    public let recordCount: Int
    /// How many it has.
    public let totalCount: Int
}
