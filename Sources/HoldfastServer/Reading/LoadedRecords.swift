import HoldfastStorage

/// Records that were read, with everything that a selection needs beside them.
final class LoadedRecords: Sendable {
    /// What is selected of each record.
    let selection: RecordSelection
    /// The records.
    let rows: RowBuffer
    /// What was read for each relation of the selection.
    let relations: [LoadedRelation]

    init(_ selection: RecordSelection, rows: RowBuffer, relations: [LoadedRelation]) {
        self.selection = selection
        self.rows = rows
        self.relations = relations
    }
}

/// The other sides of one relation of several records.
enum LoadedRelation: Sendable {
    /// The relation may not be read at all.
    case denied
    /// It could not be read.
    case failed(RequestFault)
    /// The other records, and for each record the position of its own; `nil` where there is none.
    case records(LoadedRecords, positions: [Int?])
    /// A page for each record; `nil` if the record has no key to look for.
    case pages([LoadedPage?])
}

/// A page of records.
struct LoadedPage: Sendable {
    /// The records, once for each time that they are selected.
    var items: [LoadedRecords]
    /// Where the next page begins; `nil` at the end.
    var nextToken: String?
    /// The label of the first page; `nil` for lists that have none.
    var startedAt: Int64?
    /// Where a page begins that follows a record of this one, counted from 0; `nil` if this page cannot end earlier.
    var tokenAfter: (@Sendable (Int) -> String)?
    /// Whether it begins a base query although changes since a label were asked for.
    var isBaseInsteadOfDelta = false
}
