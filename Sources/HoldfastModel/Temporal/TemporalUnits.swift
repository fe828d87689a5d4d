import HoldfastStorage

/// A number of days, weeks, months or years.
public struct DateUnit: Sendable, Hashable {
    enum Kind: Sendable { case days, months }

    let kind: Kind
    let value: Int64

    private init(_ kind: Kind, _ value: Int, times factor: Int64 = 1) {
        self.kind = kind
        let (product, overflow) = Int64(value).multipliedReportingOverflow(by: factor)
        self.value = overflow ? (value < 0 ? -.max : .max) : max(product, -.max)
    }

    /// Days.
    public static func days(_ value: Int) -> DateUnit { DateUnit(.days, value) }
    /// Weeks of seven days.
    public static func weeks(_ value: Int) -> DateUnit { DateUnit(.days, value, times: 7) }
    /// Months; the day of a month that is too short for it becomes the month's last.
    public static func months(_ value: Int) -> DateUnit { DateUnit(.months, value) }
    /// Years; 29 February becomes the 28th where there is none.
    public static func years(_ value: Int) -> DateUnit { DateUnit(.months, value, times: 12) }

    /// One day.
    public static let oneDay = DateUnit.days(1)
    /// One week.
    public static let oneWeek = DateUnit.weeks(1)
    /// One month.
    public static let oneMonth = DateUnit.months(1)
    /// One year.
    public static let oneYear = DateUnit.years(1)
}

/// A number of hours, minutes, seconds or parts of a second.
public struct TimeUnit: Sendable, Hashable {
    let nanoseconds: Int64
    let seconds: Int64

    private init(_ value: Int, seconds factor: Int64) {
        let (product, overflow) = Int64(value).multipliedReportingOverflow(by: factor)
        seconds = overflow ? (value < 0 ? -.max : .max) : max(product, -.max)
        nanoseconds = 0
    }

    private init(_ value: Int, nanoseconds factor: Int64) {
        let (whole, rest) = Int64(value).quotientAndRemainder(
            dividingBy: Gregorian.nanosecondsPerSecond / factor)
        (seconds, nanoseconds) = (whole, rest * factor)
    }

    /// Hours.
    public static func hours(_ value: Int) -> TimeUnit { TimeUnit(value, seconds: 3_600) }
    /// Minutes.
    public static func minutes(_ value: Int) -> TimeUnit { TimeUnit(value, seconds: 60) }
    /// Seconds.
    public static func seconds(_ value: Int) -> TimeUnit { TimeUnit(value, seconds: 1) }
    /// Milliseconds.
    public static func milliseconds(_ value: Int) -> TimeUnit { TimeUnit(value, nanoseconds: 1_000_000) }
    /// Nanoseconds.
    public static func nanoseconds(_ value: Int) -> TimeUnit { TimeUnit(value, nanoseconds: 1) }

    /// One hour.
    public static let oneHour = TimeUnit.hours(1)
    /// One minute.
    public static let oneMinute = TimeUnit.minutes(1)
    /// One second.
    public static let oneSecond = TimeUnit.seconds(1)
    /// One millisecond.
    public static let oneMillisecond = TimeUnit.milliseconds(1)
    /// One nanosecond.
    public static let oneNanosecond = TimeUnit.nanoseconds(1)
}

/// A type to which days, weeks, months and years can be added.
///
/// The calendar is the proleptic Gregorian one in UTC; a result beyond years 1...9999 is the nearest one within.
public protocol DateUnitOperable {
    /// The value some days or months later, or earlier for `sign` −1.
    func adding(_ unit: DateUnit, sign: Int64) -> Self
}

/// A type to which hours, minutes, seconds and parts of seconds can be added.
public protocol TimeUnitOperable {
    /// The value some time later, or earlier for `sign` −1.
    func adding(_ unit: TimeUnit, sign: Int64) -> Self
}

extension DateUnitOperable {
    /// The value some days or months later.
    public static func + (left: Self, right: DateUnit) -> Self { left.adding(right, sign: 1) }
    /// The value some days or months earlier.
    public static func - (left: Self, right: DateUnit) -> Self { left.adding(right, sign: -1) }
}

extension TimeUnitOperable {
    /// The value some time later.
    public static func + (left: Self, right: TimeUnit) -> Self { left.adding(right, sign: 1) }
    /// The value some time earlier.
    public static func - (left: Self, right: TimeUnit) -> Self { left.adding(right, sign: -1) }
}
