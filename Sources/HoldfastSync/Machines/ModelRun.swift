/// One query of a model, page by page.
struct ModelRun<Content: Sendable>: Sendable {
    /// How the model is read.
    let choice: SyncChoice
    private let plan: ModelPlan
    private let identity: String?
    private let settings: SyncSettings
    private var token: String?
    private var label: Int64?
    private var records: Int
    /// How many records the pages that were received were asked for, and how many the next one is.
    private var (asked, requested) = (0, 0)
    /// Whether records are missing, so that nothing may be removed because it was not seen.
    private var isIncomplete: Bool
    /// Whether what is missing may come with a query from the earlier watermark.
    private var missesChanges: Bool
    /// Whether a page came with errors, other than about what the user may not read, or with records that may be read
    /// another time.
    private var hasErrors: Bool
    /// Whether it continues where an earlier one stopped.
    private(set) var isResumed: Bool
    /// When the earlier one began that it continues, as ``StoredState/fullSyncAt``.
    private var begunAt: Int64?
    /// Whether it begins again with the next page.
    private var restarts = false
    /// Whether a page is in progress.
    var isFetching = false
    /// Whether the service has more pages to be read.
    private(set) var hasMore = true
    /// A page that waits for the store.
    ///
    /// The next one is read when this one is taken.
    private var ready: FetchedPage<Content>?
    /// What is left of the page that is being stored.
    private var parts: ArraySlice<Content> = []
    /// What the store keeps about the model once these are stored.
    private var stored: (state: StoredState, isLast: Bool)?
    /// What the commits of the query did.
    private(set) var counts = (added: 0, updated: 0, deleted: 0)

    init(_ choice: SyncChoice, plan: ModelPlan, identity: String?, settings: SyncSettings) {
        self.choice = choice
        self.plan = plan
        self.identity = identity
        self.settings = settings
        token = choice.resume?.token
        label = choice.resume?.label
        records = choice.resume?.count ?? 0
        isResumed = choice.resume != nil
        begunAt = choice.resume == nil ? nil : plan.stored.fullSyncAt ?? 0
        isIncomplete = choice.isFull && choice.resume != nil && plan.stored.isTruncated
        missesChanges = isIncomplete
        hasErrors = choice.isFull && choice.resume != nil && plan.stored.hasErrors
    }

    /// Whether the sync expression is sent along.
    ///
    /// Base queries always do. Deltas do only if the application said that records never leave the expression, since a
    /// record that leaves it must be seen in order to be removed.
    private var isFiltered: Bool { canBeFiltered && (choice.isFull || plan.filtersDeltas) }

    private var canBeFiltered: Bool { plan.expression != nil && plan.sendsExpression }

    /// Whether the delta query has more pages than a filtered base query is worth; short ones count in part.
    var isTooLong: Bool {
        !choice.isFull && !isFiltered && canBeFiltered && hasMore
            && asked / max(1, settings.syncPageSize) >= settings.deltaPageLimit
    }

    /// The request for the next page; `nil` if one is in progress, waits for the store, or is not wanted.
    ///
    /// It asks for at most `pageLimit` records.
    mutating func next(model: String, mode: Int, pageLimit: Int) -> FetchRequest? {
        guard !isFetching, ready == nil, hasMore else { return nil }
        isFetching = true
        // With an expression, the limit counts what the service looks at, not what it returns. Asking for only the few
        // records still wanted would take very many requests.
        let rest = plan.expression == nil ? limit - records : .max
        requested = max(1, min(settings.syncPageSize, pageLimit, rest))
        return FetchRequest(
            model: model, since: since, token: token, limit: requested, isFiltered: isFiltered, mode: mode)
    }

    /// How many records that the application wants are read at most.
    private var limit: Int { choice.isFull && choice.full != .whole ? settings.syncMaxRecords : .max }

    /// Takes a page.
    ///
    /// The label of the first page becomes the watermark: what changes while later pages are read has changed after it.
    mutating func received(_ page: FetchedPage<Content>) -> [SyncReport] {
        isFetching = false
        var reports: [SyncReport] = []
        records += page.count - page.outsideCount
        asked += requested
        if label == nil { label = page.startedAt }
        token = page.nextToken
        hasMore = page.nextToken != nil
        if page.hasErrors { isIncomplete = true }
        if page.hasErrors, !page.lacksOnlyInvalid { missesChanges = true }
        if page.hasErrors || page.hasFaults {
            if page.hasErrors || !page.lacksOnlyRequiredValues { hasErrors = true }
            reports.append(.incompletePage(model: plan.name))
        }
        if hasMore, records >= limit {
            hasMore = false
            isIncomplete = true
            missesChanges = true
            reports.append(.truncated(model: plan.name))
        }
        ready = page
        return reports
    }

    /// Whether the model was last read for another user or other groups, and no page has come since.
    var isFirstOfIdentity: Bool { asked == 0 && plan.stored.shape != nil && plan.stored.identity != identity }

    /// What the store keeps about a model that the user may not read, once its records are removed.
    ///
    /// It has no watermark: if the user may read the model later, the records are to be read again.
    var removed: StoredState {
        StoredState(
            expression: plan.expression, shape: plan.shape, identity: identity, generation: choice.generation)
    }

    /// Whether records wait for the store.
    var hasWork: Bool { ready != nil || !parts.isEmpty }

    /// Takes the next part of a page for the store; with the last part, what the store keeps about the model then.
    ///
    /// The last part and the state are one commit, so that the watermark never comes before the records. A part without
    /// it may be stored for a second time after a crash, which changes nothing.
    mutating func takePart(
        after stored: StoredState, wall: Int64
    ) -> (content: Content, end: (state: StoredState, isLast: Bool)?)? {
        if parts.isEmpty, let page = ready {
            parts = page.parts[...]
            self.stored = (state(after: stored, wall: wall), !hasMore)
            ready = nil
        }
        guard let content = parts.popFirst() else { return nil }
        return (content, parts.isEmpty ? self.stored : nil)
    }

    /// Begins again at the first page, under the same number.
    mutating func restart() {
        token = nil
        label = nil
        isResumed = false
        isFetching = false
        ready = nil
        parts = []
        hasMore = true
        records = 0
        asked = 0
        begunAt = nil
        restarts = true
    }

    /// Adds what a commit did.
    mutating func count(_ report: CommitReport<Content>) {
        counts.added += report.added
        counts.updated += report.updated
        counts.deleted += report.deleted
    }

    private var kind: Resume.Kind { choice.full == .whole ? .whole : choice.isFull ? .base : .delta }

    /// What the store keeps about the model once the page that is ready is stored.
    private mutating func state(after stored: StoredState, wall: Int64) -> StoredState {
        var next = stored
        next.resume = hasMore ? Resume(kind: kind, token: token, label: label, count: records) : nil
        guard choice.isFull else {
            if missesChanges {
                // It is asked for again from the same watermark, also if it is interrupted now.
                next.resume = nil
            } else if !hasMore {
                next.lastSync = label ?? stored.lastSync
            }
            // A delta from the next watermark does not bring again what cannot be read.
            if hasErrors && !missesChanges { next.hasErrors = true }
            return next
        }
        next.expression = plan.expression
        next.shape = plan.shape
        next.identity = identity
        next.generation = choice.generation
        next.isTruncated = isIncomplete
        next.hasErrors = hasErrors
        next.lastSync = hasMore ? stored.lastSync : watermark(after: stored.lastSync)
        next.fullSyncAt = restarts ? wall : stored.fullSyncAt ?? wall
        restarts = false
        if !hasMore {
            if isIncomplete {
                next.fullSyncAt = endedAt(wall)
            } else {
                next.resume = Resume(kind: .sweep, token: nil, label: label)
            }
        }
        return next
    }

    /// When the full sync counts as done.
    ///
    /// One that was continued long after counts from its beginning: what its first pages had can have been deleted
    /// since, and the service may have forgotten that. Otherwise the delta that follows has it.
    func endedAt(_ wall: Int64) -> Int64 {
        guard let begunAt else { return wall }
        let (age, overflow) = wall.subtractingReportingOverflow(begunAt)
        let isRecent = !overflow && age >= 0 && Duration.milliseconds(age) < settings.tombstoneLife
        return isRecent ? wall : begunAt
    }

    /// Whether the full sync ended early, so that a delta from the watermark of before has to follow.
    var keepsWatermark: Bool { choice.isFull && watermark(after: plan.stored.lastSync) != label }

    /// The watermark after the last page of a full sync.
    ///
    /// If the pages ended early, the store may have records of before that they did not show. A delta has to ask what
    /// became of these:
    ///
    /// ```
    /// device                          service
    /// has A and B, watermark 10
    ///                                 B changes at 20
    /// full sync, label 30: A only
    /// delta since 30: nothing         B stays as it was at 10
    /// ```
    ///
    /// Not if the service has forgotten deletions since then. If the delta is too long, or the service does not know what
    /// it would bring, the whole is read; what a page with errors did not show then is not asked for again at once.
    private func watermark(after earlier: Int64?) -> Int64? {
        guard missesChanges, choice.full != .whole, let earlier, let label, earlier < label else { return label }
        let (age, overflow) = label.subtractingReportingOverflow(earlier)
        return overflow || Duration.milliseconds(age) >= settings.tombstoneLife ? label : earlier
    }

    private var since: Int64? {
        guard !choice.isFull, let lastSync = plan.stored.lastSync else { return nil }
        let overlap = settings.watermarkOverlap.components
        return max(0, max(0, lastSync) - overlap.seconds * 1_000 - overlap.attoseconds / 1_000_000_000_000_000)
    }
}
