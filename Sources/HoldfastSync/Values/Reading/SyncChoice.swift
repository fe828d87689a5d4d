/// Base or delta: how a model is read.
struct SyncChoice: Sendable, Hashable {
    /// Why a model is read in full.
    enum FullReason: String, Sendable, Hashable {
        /// It was never read to the end.
        case first
        /// The sync expression changed.
        case expression
        /// The fields or the selection changed.
        case shape
        /// Another user is signed in, or the user is in other groups.
        case identity
        /// It was last read in full too long ago, or with errors, or the device's clock went back.
        case interval
        /// A delta query had too many pages.
        case delta
        /// The service no longer knows what has changed since the watermark.
        case service
        /// As `delta` or `service`, of a model that was read in part: ``SyncSettings/syncMaxRecords`` does not end it.
        case whole
    }

    /// Why the model is read in full; `nil` for a delta query.
    var full: FullReason?
    /// The number that the records get.
    ///
    /// A full sync has its own number.
    var generation: Int64
    /// Where an unfinished query of the same kind continues.
    var resume: Resume?

    /// Whether the model is read in full.
    var isFull: Bool { full != nil }

    /// Decides for a model.
    ///
    /// The service's label is not compared with any clock. `fullSyncAt` is compared with the clock that gave it: a
    /// negative age means that the clock was changed, and the sync is due.
    init(_ plan: ModelPlan, identity: String?, settings: SyncSettings, wall: Int64) {
        let stored = plan.stored
        let isFirst = stored.shape == nil
        if !isFirst, stored.expression != plan.expression {
            self.init(full: .expression, generation: stored.generation + 1)
        } else if !isFirst, stored.shape != plan.shape {
            self.init(full: .shape, generation: stored.generation + 1)
        } else if !isFirst, stored.identity != identity {
            self.init(full: .identity, generation: stored.generation + 1)
        } else if let resume = stored.resume, resume.kind != .delta {
            let full: FullReason = resume.kind == .whole ? .whole : .first
            self.init(full: full, generation: stored.generation, resume: resume)
        } else if stored.lastSync == nil || stored.fullSyncAt == nil {
            self.init(full: .first, generation: stored.generation + 1)
        } else if !Self.isRecent(stored, settings: settings, wall: wall) {
            self.init(full: .interval, generation: stored.generation + 1)
        } else {
            self.init(full: nil, generation: stored.generation, resume: stored.resume)
        }
    }

    /// A full sync with errors is repeated after that time; not at once, since the service may give them every time.
    static let errorInterval = Duration.seconds(10 * 60)

    init(full: FullReason?, generation: Int64, resume: Resume? = nil) {
        self.full = full
        self.generation = generation
        self.resume = resume
    }

    private static func isRecent(_ stored: StoredState, settings: SyncSettings, wall: Int64) -> Bool {
        guard let fullSyncAt = stored.fullSyncAt else { return false }
        let (age, overflow) = wall.subtractingReportingOverflow(fullSyncAt)
        guard !overflow, age >= 0 else { return false }
        // A delta query does not return what an earlier page with errors left out.
        let interval = stored.hasErrors ? min(settings.syncInterval, errorInterval) : settings.syncInterval
        return Duration.milliseconds(age) < min(interval, settings.tombstoneLife)
    }
}
