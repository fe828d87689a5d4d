/// What is done in the store, one after the other: each of these is a commit under the fence of the session, and two
/// at once would only refuse each other.
enum StoreJob: Sendable, Hashable {
    case claim, renew, release, clear, take, settle
    /// A page, changes, a sweep, or a state of a model: what it is when its turn comes.
    case model(String)
}

extension SyncCore {
    /// Puts a job at the end of the lane, if it does not wait there already.
    mutating func queue(_ job: StoreJob) {
        if !lane.contains(job) { lane.append(job) }
    }

    /// Ends the store job in progress; `nil` if the id is of another one.
    mutating func endStoreJob(_ id: EffectID) -> StoreJob? {
        guard case .store(let job)? = work.removeValue(forKey: id), laneWork == id else { return nil }
        laneWork = nil
        return job
    }

    /// Begins the next job that has something to do.
    mutating func runLane() {
        while laneWork == nil, !lane.isEmpty {
            let job = lane.removeFirst()
            laneWork = start(job)
        }
    }

    /// The numbers of the models' newest full syncs, also of those in progress: an answer to a mutation is as new as
    /// they are, and their pages may have come before it.
    private var generations: [String: Int64] { models.mapValues(\.plan.stored.generation) }

    private mutating func start(_ job: StoreJob) -> EffectID? {
        let use = Work.store(job)
        switch job {
        case .claim: return begin(use) { .claim($0) }
        case .renew: return begin(use) { .renew($0) }
        case .release: return begin(use) { .release($0) }
        case .clear: return begin(use) { .clear($0) }
        case .take:
            guard let order = nextTake() else { return nil }
            // What changes from here on may come too late for this take, and sets it again.
            outboxProgress.mayHaveMore = false
            return begin(use) { .take($0, limit: order.limit, includesSent: order.includesSent) }
        case .settle:
            guard !outcomes.isEmpty else { return nil }
            settling = outcomes
            outcomes = [:]
            let (resolutions, numbers) = (settling, generations)
            return begin(use) { .settle($0, resolutions, generations: numbers) }
        case .model(let name):
            guard let (job, then) = models[name]?.takeWork(wall: now.wall) else { return nil }
            let id =
                switch job {
                case .apply(let work): begin(use) { .apply($0, work) }
                case .sweep(let generation): begin(use) { .sweep($0, model: name, generation: generation) }
                }
            perform(then, of: name)
            return id
        }
    }
}
