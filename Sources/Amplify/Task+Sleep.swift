extension Task where Success == Never, Failure == Never {
    /// Waits for a number of seconds; not at all if it is zero, negative, or not a number.
    ///
    /// - Parameter seconds: Rounded to whole nanoseconds; at most about 584 years.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public static func sleep(seconds: Double) async throws {
        let nanoseconds = (seconds * 1_000_000_000).rounded()
        try await sleep(nanoseconds: nanoseconds > 0 ? UInt64(exactly: nanoseconds) ?? .max : 0)
    }
}
