/// What came of a run.
public struct RunReport: Sendable, Codable {
    /// The scenario's seed.
    public var seed: UInt64
    /// What must never happen, and did.
    public var violations: [String] = []
    /// What happened, in order, if it was asked for.
    public var timeline: [String] = []
    /// The same for a diagram, with commits of records.
    public var marks: [RunMark] = []
    /// The messages between clients and the service, in the order of their ends, if the timeline was asked for.
    public var messages: [RunMessage] = []
    /// A number that another order of events changes.
    public var trace: UInt64 = 0
    /// What applications did.
    public var operations = 0
    /// What went wrong, as the scenario says.
    public var faults = 0
    /// Requests that reached the service.
    public var requests = 0
    /// Mutations among them.
    public var mutations = 0
    /// Mutations that were conflicts.
    public var conflicts = 0
    /// Crashes of clients.
    public var crashes = 0
    /// Commits of clients that were looked at.
    public var commits = 0
    /// States of records at the service.
    public var states = 0
    /// Changes that were given up.
    public var deadLetters = 0
    /// Jobs that ran.
    public var jobs = 0
    /// How much time passed for those who took part, in microseconds.
    public var virtualMicroseconds: Int64 = 0
}
