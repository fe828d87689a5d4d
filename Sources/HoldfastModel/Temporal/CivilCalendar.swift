import HoldfastStorage

/// Arithmetic of the proleptic Gregorian calendar, in UTC, within years 1...9999.
enum CivilCalendar {
    /// The days of years 1...9999, counted from 1970-01-01.
    static let days: ClosedRange<Int64> = -719_162...2_932_896
    /// Seconds in a day.
    static let secondsPerDay: Int64 = 86_400
    /// Nanoseconds in a second.
    static let nanosecondsPerSecond: Int64 = 1_000_000_000
    /// Nanoseconds in a day.
    static let nanosecondsPerDay: Int64 = 86_400_000_000_000

    /// A day some months later, or the last day of that month if it is shorter; the nearest day within years 1...9999.
    static func adding(months: Int64, toDay day: Int64) -> Int64 {
        let (year, month, dayOfMonth) = civil(day)
        let (count, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, (12...(9_999 * 12 + 11)).contains(count) else {
            return months < 0 ? days.lowerBound : days.upperBound
        }
        let (newYear, newMonth) = (count / 12, count % 12 + 1)
        return Self.day(newYear, newMonth, min(dayOfMonth, length(of: newMonth, newYear)))
    }

    /// A day some days later; the nearest day within years 1...9999.
    static func adding(days count: Int64, toDay day: Int64) -> Int64 {
        let (sum, overflow) = day.addingReportingOverflow(count)
        if overflow { return count < 0 ? days.lowerBound : days.upperBound }
        return min(max(sum, days.lowerBound), days.upperBound)
    }

    /// A number divided by another, rounded towards the past, and the rest, which is never negative.
    static func split(_ number: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// The days from 1970-01-01 to a day of years 1...9999.
    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // Years begin on 1 March here, so that the leap day is the last of its year.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month <= 2 ? month + 9 : month - 3) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    /// The year, month and day that lie some days after 1970-01-01.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = split(day + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    private static func length(of month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
