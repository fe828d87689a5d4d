import HoldfastStorage

/// Days that lie some time after others by the calendar in UTC, within years 1...9999.
enum CivilCalendar {
    private static let days = Int64(Gregorian.days.lowerBound)...Int64(Gregorian.days.upperBound)

    /// A day some months later, or the last day of that month if it is shorter; the nearest day within years 1...9999.
    static func adding(months: Int64, toDay day: Int64) -> Int64 {
        let (year, month, dayOfMonth) = Gregorian.civil(daysSinceEpoch: day)
        let (count, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, (12...(9_999 * 12 + 11)).contains(count) else {
            return months < 0 ? days.lowerBound : days.upperBound
        }
        let (newYear, newMonth) = (UInt32(count / 12), UInt32(count % 12 + 1))
        let newDay = min(UInt32(dayOfMonth), Gregorian.daysInMonth(newMonth, of: newYear))
        return Int64(Gregorian.daysSinceEpoch(year: newYear, month: newMonth, day: newDay))
    }

    /// A day some days later; the nearest day within years 1...9999.
    static func adding(days count: Int64, toDay day: Int64) -> Int64 {
        let (sum, overflow) = day.addingReportingOverflow(count)
        if overflow { return count < 0 ? days.lowerBound : days.upperBound }
        return min(max(sum, days.lowerBound), days.upperBound)
    }
}
