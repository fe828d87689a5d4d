/// What an import does with a record that is stored already with other values, or was deleted.
public enum ExistingRecords: String, Sendable, Hashable, CaseIterable {
    /// The record is replaced: a field that the imported record lacks loses its value.
    case replace
    /// The stored record stays.
    case skip
    /// The import of the record fails.
    case fail
}

/// What an import did with a record.
public enum ImportOutcome: Sendable, Hashable {
    /// It is new.
    case created
    /// It replaced a stored one, or one that was deleted.
    case replaced
    /// It was deleted, as its `_deleted` says.
    case deleted
    /// It was stored already with the same values, so nothing was written.
    case unchanged
    /// It was stored already with other values, or was deleted, and stays so.
    case skipped
}
