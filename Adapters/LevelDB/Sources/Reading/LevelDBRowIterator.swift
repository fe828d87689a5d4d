#if LevelDB
internal import HoldfastAdapterKit
internal import HoldfastStorage

/// The records along an access path, batch by batch; used by one thread at a time.
struct LevelDBRowIterator: Sendable {
    let table: LevelDBTable
    /// `nil` for the records themselves.
    private let index: LevelDBTable.Index?
    private let isReversed: Bool
    /// Leading components in which the entries of a run agree that has to be turned round; `nil` for no such runs.
    private let runComponentCount: Int?
    /// What is left to read, the next range last.
    private var ranges: [(lower: [UInt8], upper: [UInt8])]
    /// Where the scan stands at the beginning of the next range, if it was interrupted there.
    private var place: LevelDBIterator?
    /// Keys of a run that are read and not delivered, the next one last.
    private var run: [LevelDBEntry] = []

    init(_ table: LevelDBTable, _ path: AccessPath) {
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
            // A field may be a component twice: of the index, and of the key behind it.
            let last = positions.compactMap(components.firstIndex(of:)).max()
            runComponentCount = last.map { $0 + 1 } ?? 0
        } else {
            runComponentCount = nil
        }
        let prefix = index?.prefix ?? table.prefix
        let stored = path.ranges.map { LevelDBTable.range($0, in: prefix) }
        ranges = path.isReversed ? stored : stored.reversed()
    }

    /// Appends the next rows.
    ///
    /// - Returns: Whether there are no more.
    mutating func fill(
        _ rows: inout RowBuffer, _ maximumRowCount: Int, _ handle: LevelDBConnection, _ view: LevelDBView,
        _ cancellation: Cancellation
    ) throws(StorageError) -> Bool {
        while rows.rowCount < maximumRowCount {
            try cancellation.check()
            if let entry = run.popLast() {
                try append(entry, to: &rows, handle, view.options)
            } else if ranges.isEmpty {
                return true
            } else if runComponentCount != nil {
                try readRun(handle, view, cancellation)
            } else {
                try readRange(&rows, maximumRowCount, handle, view, cancellation)
            }
        }
        return run.isEmpty && ranges.isEmpty
    }

    /// Reads the current range until it or the batch ends.
    private mutating func readRange(
        _ rows: inout RowBuffer, _ maximumRowCount: Int, _ handle: LevelDBConnection, _ view: LevelDBView,
        _ cancellation: Cancellation
    ) throws(StorageError) {
        guard let range = ranges.popLast() else { return }
        let place = start(range, handle, view)
        var stepCount = 0
        while isInside(place, range) {
            if rows.rowCount == maximumRowCount {
                interrupt(place, in: range)
                return
            }
            stepCount += 1
            if stepCount.isMultiple(of: 256) { try cancellation.check() }
            if index == nil {
                try table.append(place.value, to: &rows)
            } else {
                try append(try LevelDBEntry(place), to: &rows, handle, view.options)
            }
            step(place)
        }
        try place.check()
    }

    /// Reads the keys of the next run, which is delivered in the opposite direction.
    private mutating func readRun(
        _ handle: LevelDBConnection, _ view: LevelDBView, _ cancellation: Cancellation
    ) throws(StorageError) {
        guard let range = ranges.popLast(), let runComponentCount else { return }
        let place = start(range, handle, view)
        var prefix: [UInt8]?
        while isInside(place, range) {
            if let prefix, !place.key.starts(with: prefix) {
                interrupt(place, in: range)
                return
            }
            if prefix == nil {
                let key = Array(place.key)
                let count = table.prefix.count
                prefix = Array(
                    key.prefix(
                        count + (try KeyCodec.byteCount(ofFirst: runComponentCount, in: Array(key[count...])))))
            }
            run.append(try LevelDBEntry(place, isRecord: index == nil))
            if run.count.isMultiple(of: 256) { try cancellation.check() }
            step(place)
        }
        try place.check()
    }

    /// Goes to the beginning of a range, or stays there.
    private mutating func start(
        _ range: (lower: [UInt8], upper: [UInt8]), _ handle: LevelDBConnection, _ view: LevelDBView
    ) -> LevelDBIterator {
        if let place = place.take() { return place }
        let place = view.database.iterator(handle, view.options)
        if isReversed { place.seek(before: range.upper) } else { place.seek(range.lower) }
        return place
    }

    /// Stops at a key that was not delivered.
    private mutating func interrupt(_ place: LevelDBIterator, in range: (lower: [UInt8], upper: [UInt8])) {
        ranges.append(range)
        self.place = place
    }

    private func isInside(
        _ place: LevelDBIterator, _ range: (lower: [UInt8], upper: [UInt8])
    ) -> Bool {
        guard place.isValid else { return false }
        return isReversed ? !place.key.precedes(range.lower) : place.key.precedes(range.upper)
    }

    private func step(_ place: LevelDBIterator) {
        if isReversed { place.previous() } else { place.next() }
    }

    /// Appends the record of an entry.
    private func append(
        _ entry: LevelDBEntry, to rows: inout RowBuffer, _ handle: LevelDBConnection, _ options: LevelDBReadOptions
    ) throws(StorageError) {
        let key = index == nil ? entry.key : table.prefix + entry.key[entry.prefixCount...]
        let record: Void? = try handle.get(key, options) { value throws(StorageError) in
            try table.append(value, to: &rows)
        }
        if record == nil { throw .damagedRecord() }
    }
}

/// The key of an index entry or of a record.
struct LevelDBEntry: Sendable {
    let key: [UInt8]
    /// The bytes before the record's key, the space included.
    let prefixCount: Int

    /// The key at a place.
    ///
    /// - Throws: ``StorageError`` `.corruption` if it is no entry's.
    init(_ place: LevelDBIterator, isRecord: Bool = false) throws(StorageError) {
        key = Array(place.key)
        if isRecord {
            prefixCount = 0
            return
        }
        var reader = LevelDBCellReader(place.value)
        let count = try reader.unsigned()
        guard count <= UInt64(key.count) else { throw .damagedRecord() }
        prefixCount = Int(count)
    }
}
#endif
