import HoldfastStorage

/// The header `Retry-After`.
package enum RetryAfter {
    /// The longest time that is believed.
    private static let longest = Duration.seconds(24 * 60 * 60)

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - value: Seconds, or a point in time such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///   - date: The header `Date` of the same response, so that no clock of the device is compared with the service's.
    /// - Returns: The time to wait, at most a day; `nil` if the header cannot be read.
    package static func duration(_ value: String, date: String?) -> Duration? {
        if let seconds = Int64(value), seconds >= 0 { return min(.seconds(min(seconds, 1 << 32)), longest) }
        guard let date, let until = seconds(value), let now = seconds(date) else { return nil }
        return min(.seconds(max(until - now, 0)), longest)
    }

    /// The seconds since 1970 of a date of HTTP; `nil` for another text.
    private static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: parts[2]) else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return try? Timestamp(parsing: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z").secondsSinceEpoch
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
