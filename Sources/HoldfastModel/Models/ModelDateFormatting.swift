public import Foundation

/// How `Foundation.Date` is written in the JSON of models: as RFC 3339 text, read with any offset and written in UTC.
public enum ModelDateFormatting {
    /// Reads a date as ``Temporal/DateTime`` reads it; fails as that does.
    public static let decodingStrategy = JSONDecoder.DateDecodingStrategy.custom { decoder in
        try Temporal.DateTime(from: decoder).foundationDate
    }

    /// Writes a date in UTC.
    public static let encodingStrategy = JSONEncoder.DateEncodingStrategy.custom { date, encoder in
        try Temporal.DateTime(date).encode(to: encoder)
    }
}
