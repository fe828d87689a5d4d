/// The application's wish to have what the service has now.
struct Refresh: Sendable {
    /// Names the wish.
    let id: CommandID
    /// The models of which a first page was asked for since.
    var begun: Set<String> = []
    /// The models that were read since, from the first page to the last commit.
    var read: Set<String> = []
}

extension SyncCore {
    /// Reads what has changed of each model, without the delay of an attempt that failed.
    mutating func refresh(_ id: CommandID) {
        refreshes.append(Refresh(id: id))
        switch session.state {
        case .backingOff:
            disarm { $0 == .connect }
            send(toSession: .retry)
        case .hydrating, .live:
            disarm { if case .model = $0 { true } else { false } }
            readAll()
            for model in plan.models where models[model.name]?.state == .failed { readAgain(model.name) }
        default: break
        }
    }

    /// A page of a model is asked for.
    mutating func noteRefreshes(_ request: FetchRequest) {
        guard request.token == nil else { return }
        for index in refreshes.indices { refreshes[index].begun.insert(request.model) }
    }

    /// A model is complete: as of now, unless its first page was asked for earlier.
    mutating func noteRefreshes(synced model: String) {
        for index in refreshes.indices where refreshes[index].begun.contains(model) {
            refreshes[index].read.insert(model)
        }
    }

    /// Answers the refreshes whose models were read, or all of them if nothing can be read.
    ///
    /// A model that the service refuses is left out.
    mutating func answerRefreshes() {
        guard !refreshes.isEmpty else { return }
        if let problem = refreshProblem { return endRefreshes(problem) }
        guard session.state == .hydrating || session.state == .live else { return }
        for refresh in refreshes {
            let isRead = plan.models.allSatisfy { model in
                refresh.read.contains(model.name) || models[model.name]?.state == .refused
            }
            guard isRead else { continue }
            add(.refreshed(refresh.id, nil))
            refreshes.removeAll { $0.id == refresh.id }
        }
    }

    /// Ends the refreshes, since a model could not be read.
    mutating func endRefreshes(_ problem: SyncProblem) {
        for refresh in refreshes { add(.refreshed(refresh.id, problem)) }
        refreshes = []
    }

    /// Why nothing can be read; `nil` if models are read, or will be in the near future.
    private var refreshProblem: SyncProblem? {
        switch session.state {
        case .connecting, .subscribing, .hydrating, .live, .backingOff: nil
        case .claiming where armed[.claim] == nil: nil
        case .claiming where session.isNetworkUp:
            SyncProblem(.notRunning, "Another process synchronizes the store, or the store cannot be read now.")
        case .claiming, .offline: SyncProblem(.disconnected, "The device has no network.")
        case .refused(let refusal): SyncProblem(.refused(refusal), refusal.words)
        case .stopped, .stopping: SyncProblem(.notRunning, "The session is not running; start it first.")
        }
    }
}
