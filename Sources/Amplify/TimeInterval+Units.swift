public import Foundation

extension TimeInterval {
    /// So many thousandths of a second.
    public static func milliseconds(_ value: Double) -> TimeInterval { value / 1_000 }
    /// So many seconds.
    public static func seconds(_ value: Double) -> TimeInterval { value }
    /// So many minutes.
    public static func minutes(_ value: Double) -> TimeInterval { value * 60 }
    /// So many hours.
    public static func hours(_ value: Double) -> TimeInterval { value * 3_600 }
    /// So many days of 24 hours.
    public static func days(_ value: Double) -> TimeInterval { value * 86_400 }
}
