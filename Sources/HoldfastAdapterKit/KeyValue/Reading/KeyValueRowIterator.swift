internal import HoldfastStorage

/// The records along an access path, batch by batch; used by one thread at a time.
struct KeyValueRowIterator: Sendable {
    let table: KeyValueTable
    /// `nil` for the records themselves.
    private let index: KeyValueTable.Index?
    private let isReversed: Bool
    /// Leading components in which the entries of a run agree that has to be turned round; `nil` for no such runs.
    private let runComponentCount: Int?
    /// What is left to read, the next range last.
    private var ranges: [ByteRange]
    /// Entries of a short run that were read and not delivered, the next one last.
    private var run: [KeyValueEntry] = []
    /// What is left of a long run, which is read in the opposite direction.
    private var longRun: ByteRange?

    /// Entries of a run that are read before they are delivered, at most.
    private static let shortRunCount = 64

    init(_ table: KeyValueTable, _ path: AccessPath) {
        self.table = table
        isReversed = path.isReversed
        let components: [Int]
        switch path.source {
        case .primaryKey:
            index = nil
            components = table.entity.primaryKeyPositions
        case .index(let number):
            index = table.indexes[number]
            components = table.indexes[number].positions + table.entity.primaryKeyPositions
        }
        if case .totalWithReversedRuns(let positions) = path.order {
            // A field may be a component twice: of the index, and of the key after it.
            let last = positions.compactMap(components.firstIndex(of:)).max()
            runComponentCount = last.map { $0 + 1 } ?? 0
        } else {
            runComponentCount = nil
        }
        let prefix = index?.prefix ?? table.prefix
        let stored = path.ranges.map { KeyValueTable.range($0, in: prefix) }
        ranges = path.isReversed ? stored : stored.reversed()
    }

    /// Appends the next rows.
    ///
    /// - Returns: Whether there are no more.
    mutating func fill(
        _ rows: inout RowBuffer, _ maximumRowCount: Int, _ view: any KeyValueReader, _ cancellation: Cancellation
    ) throws(StorageError) -> Bool {
        while rows.rowCount < maximumRowCount {
            try cancellation.check()
            if let entry = run.popLast() {
                try append(entry, to: &rows, view)
            } else if let range = longRun {
                longRun = try read(range, &rows, maximumRowCount, view, cancellation)
            } else if let range = ranges.popLast() {
                let rest =
                    runComponentCount == nil
                    ? try read(range, &rows, maximumRowCount, view, cancellation)
                    : try readRuns(range, &rows, maximumRowCount, view, cancellation)
                if let rest { ranges.append(rest) }
            } else {
                return true
            }
        }
        return run.isEmpty && longRun == nil && ranges.isEmpty
    }

    /// Reads a range until it or the batch ends; returns what is left of it.
    private func read(
        _ range: ByteRange, _ rows: inout RowBuffer, _ maximumRowCount: Int, _ view: any KeyValueReader,
        _ cancellation: Cancellation
    ) throws(StorageError) -> ByteRange? {
        // A run is read against the direction of the whole.
        let isReversed = runComponentCount == nil ? isReversed : !isReversed
        let (table, isIndex) = (table, index != nil)
        var rest: ByteRange?
        var stepCount = 0
        var recordKey: [UInt8] = []
        try view.scan(range, isReversed: isReversed) { (key, value) throws(StorageError) in
            if rows.rowCount == maximumRowCount {
                rest = Self.rest(of: range, from: key, isReversed: isReversed)
                return false
            }
            stepCount += 1
            if stepCount.isMultiple(of: 256) { try cancellation.check() }
            if isIndex {
                // In memory that is used again for each record.
                recordKey.removeAll(keepingCapacity: true)
                recordKey.append(contentsOf: table.prefix)
                let prefixCount = try KeyValueEntry.prefixCount(key, value)
                recordKey.append(contentsOf: UnsafeRawBufferPointer(rebasing: key[prefixCount...]))
                try append(recordKey, to: &rows, view)
            } else {
                try table.append(value, of: .bytes(key), to: &rows)
            }
            return true
        }
        return rest
    }

    /// Reads runs, each of which is delivered in the opposite direction; returns what is left of the range.
    ///
    /// A short run is read first and then delivered. A long one is delivered from its beginning, entry by entry.
    private mutating func readRuns(
        _ range: ByteRange, _ rows: inout RowBuffer, _ maximumRowCount: Int, _ view: any KeyValueReader,
        _ cancellation: Cancellation
    ) throws(StorageError) -> ByteRange? {
        var rest: ByteRange?
        var prefix: [UInt8]?
        var entries: [KeyValueEntry] = []
        var longRun: ByteRange?
        try view.scan(range, isReversed: isReversed) { (key, value) throws(StorageError) in
            if let current = prefix, !key.starts(with: current) {
                while rows.rowCount < maximumRowCount, let entry = entries.popLast() {
                    try append(entry, to: &rows, view)
                }
                if rows.rowCount == maximumRowCount {
                    rest = Self.rest(of: range, from: key, isReversed: isReversed)
                    return false
                }
                prefix = nil
                try cancellation.check()
            }
            if prefix == nil { prefix = try runPrefix(of: key) }
            if let prefix, entries.count == Self.shortRunCount {
                let whole = ByteRange(prefix: prefix)
                longRun = whole.intersection(range)
                rest =
                    isReversed
                    ? ByteRange(from: range.lower, to: whole.lower)
                    : whole.upper.map { ByteRange(from: $0, to: range.upper) }
                if rest?.isEmpty == true { rest = nil }
                return false
            }
            entries.append(try KeyValueEntry(key, value, isRecord: index == nil))
            return true
        }
        if longRun == nil { run = entries }
        self.longRun = longRun
        return rest
    }

    /// What the entries of a run begin with.
    private func runPrefix(of key: UnsafeRawBufferPointer) throws(StorageError) -> [UInt8] {
        let key = Array(key)
        let count = table.prefix.count
        let rest = Array(key[count...])
        return Array(key.prefix(count + (try KeyCodec.byteCount(ofFirst: runComponentCount ?? 0, in: rest))))
    }

    /// The part of a range from a key on that was not delivered.
    private static func rest(
        of range: ByteRange, from key: UnsafeRawBufferPointer, isReversed: Bool
    ) -> ByteRange {
        isReversed
            ? ByteRange(from: range.lower, to: Array(key) + [0]) : ByteRange(from: Array(key), to: range.upper)
    }

    /// Appends the record of an entry.
    private func append(
        _ entry: KeyValueEntry, to rows: inout RowBuffer, _ view: any KeyValueReader
    ) throws(StorageError) {
        try append(index == nil ? entry.key : table.prefix + entry.key[entry.prefixCount...], to: &rows, view)
    }

    /// Appends the record of a key.
    private func append(
        _ key: [UInt8], to rows: inout RowBuffer, _ view: any KeyValueReader
    ) throws(StorageError) {
        let isFound = try view.get(key) { value throws(StorageError) in
            try table.append(value, of: .array(key), to: &rows)
        }
        if !isFound { throw .damagedRecord() }
    }
}

/// The key of an index entry or of a record.
struct KeyValueEntry: Sendable {
    let key: [UInt8]
    /// The bytes before the record's key, the space included.
    let prefixCount: Int

    /// - Throws: ``/HoldfastStorage/StorageError`` `.corruption` if it is not an entry.
    init(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, isRecord: Bool = false
    ) throws(StorageError) {
        self.key = Array(key)
        prefixCount = isRecord ? 0 : try Self.prefixCount(key, value)
    }

    /// The bytes before the record's key in the key of an index entry.
    static func prefixCount(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(StorageError) -> Int {
        var reader = KeyValueCellReader(value)
        let count = try reader.unsigned()
        guard count <= UInt64(key.count) else { throw .damagedRecord() }
        return Int(count)
    }
}
