/// A point in time as the sync core sees it.
struct Moment: Sendable, Hashable {
    /// The time since a fixed point.
    ///
    /// It never goes back.
    var uptime: Duration
    /// What the device's clock says, in milliseconds since 1970-01-01T00:00Z.
    ///
    /// It may be wrong and may go back, so it is compared only with earlier values of the same clock.
    var wall: Int64
}
