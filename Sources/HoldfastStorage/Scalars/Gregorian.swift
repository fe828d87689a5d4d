/// Arithmetic of the proleptic Gregorian calendar.
package enum Gregorian {
    /// The days of years 1...9999, counted from 1970-01-01.
    package static let days: ClosedRange<Int32> = -719_162...2_932_896
    /// The whole seconds of years 1...9999, counted from 1970-01-01T00:00:00Z.
    package static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    /// Seconds in a day.
    package static let secondsPerDay: Int64 = 86_400
    /// Nanoseconds in a second.
    package static let nanosecondsPerSecond: Int64 = 1_000_000_000
    /// Nanoseconds in a day.
    package static let nanosecondsPerDay: Int64 = 86_400_000_000_000

    /// The number of days of a month, 1...12, in a year of 1 or later.
    @inline(__always)
    package static func daysInMonth(_ month: UInt32, of year: UInt32) -> UInt32 {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return 30 &+ ((month ^ (month >> 3)) & 1)
    }

    /// The days since 1970-01-01 of an existing day of years 1...9999.
    @inline(__always)
    package static func daysSinceEpoch(year: UInt32, month: UInt32, day: UInt32) -> Int32 {
        // Years are counted from 1 March, so that the leap day is the last of its year.
        let shifted = month <= 2 ? year &- 1 : year
        let monthFromMarch = month <= 2 ? month &+ 9 : month &- 3
        let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
        let days = 365 &* shifted &+ shifted / 4 &- shifted / 100 &+ shifted / 400 &+ dayOfYear
        return Int32(bitPattern: days) &- 719_468
    }

    /// The year, month and day of a number of days since 1970-01-01.
    @inline(__always)
    package static func civil(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = daysSinceEpoch &+ 719_468
        let era = (days >= 0 ? days : days &- 146_096) / 146_097
        let dayOfEra = days &- era &* 146_097
        let yearOfEra = (dayOfEra &- dayOfEra / 1_460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
        let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
        return (
            yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0), month,
            dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
        )
    }

    /// A number divided by another, such as seconds by those of a day, rounded toward the past, and the rest, which is
    /// never negative.
    @inline(__always)
    package static func split(_ number: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let quotient = number / divisor
        let remainder = number &- quotient &* divisor
        return remainder < 0 ? (quotient &- 1, remainder &+ divisor) : (quotient, remainder)
    }
}
