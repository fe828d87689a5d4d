/// Whether a field is shown.
enum FieldReading: Sendable {
    /// With every record.
    case always
    /// Never, which is an error.
    case denied
    /// Never; the field is null.
    case hidden
    /// With records that match; otherwise it is an error, or, if it is hidden, null.
    case when(RecordFilter, isHidden: Bool)
}
