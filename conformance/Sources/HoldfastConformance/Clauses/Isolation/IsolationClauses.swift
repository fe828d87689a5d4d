extension Clause {
    /// Snapshots, concurrent sessions, anomalies.
    static let isolation: [Clause] = []
}
