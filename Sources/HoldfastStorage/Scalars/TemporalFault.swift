/// What keeps a text from being a date or a time.
enum TemporalFault: Error {
    case form
    case year
    case month
    case day
    case hour
    case minute
    case second
    case fraction
    case offset
    case missingOffset
    case instant

    /// The error for a text that should have been of a type.
    func invalid(_ type: FieldType) -> InvalidScalar {
        InvalidScalar(type: type, reason: "\(problem); expected \(Self.form(of: type))")
    }

    /// The form in which a type is written.
    private static func form(of type: FieldType) -> String {
        switch type {
        case .date: "YYYY-MM-DD with an optional offset, Z or ±hh:mm[:ss]"
        case .time: "hh:mm[:ss[.fffffffff]] with an optional offset, Z or ±hh:mm[:ss]"
        default: "YYYY-MM-DDThh:mm[:ss[.fffffffff]] with an offset, Z or ±hh:mm[:ss]"
        }
    }

    private var problem: String {
        switch self {
        case .form: "not of the required form"
        case .year: "the year is not 0001...9999"
        case .month: "the month is not 01...12"
        case .day: "the month has no such day"
        case .hour: "the hour is not 00...23"
        case .minute: "the minute is not 00...59"
        case .second: "the second is not 00...59 (leap seconds are not admitted)"
        case .fraction: "more than 9 digits after the decimal point"
        case .offset: "the offset is not less than 18 hours, or its minutes or seconds are not 00...59"
        case .missingOffset: "the offset is missing"
        case .instant: "the instant in UTC is not within years 1...9999"
        }
    }
}
