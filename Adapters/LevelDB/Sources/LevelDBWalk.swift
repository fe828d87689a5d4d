#if LevelDB
    internal import HoldfastAdapterKit
    internal import HoldfastStorage

    /// The records along an access path, batch by batch; a value that says what is left to read.
    struct LevelDBWalk: Sendable {
        let table: LevelDBTable
        /// `nil` for the records themselves.
        private let index: LevelDBTable.Index?
        private let isReversed: Bool
        /// Leading components in which the entries of a run agree that has to be turned round; `nil` for no such runs.
        private let runComponentCount: Int?
        /// What is left to read, the next range last; ranges shrink as they are read.
        private var ranges: [(lower: [UInt8], upper: [UInt8])]
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
            _ rows: inout RowBuffer, _ maximumRowCount: Int, _ handle: LevelDBHandle, _ options: LevelDBReadOptions,
            _ cancellation: Cancellation
        ) throws(StorageError) -> Bool {
            var cells: [Value] = []
            while rows.rowCount < maximumRowCount {
                try cancellation.check()
                if let entry = run.popLast() {
                    try append(entry, to: &rows, &cells, handle, options)
                } else if ranges.isEmpty {
                    return true
                } else if runComponentCount != nil {
                    try readRun(handle, options, cancellation)
                } else {
                    try readRange(&rows, maximumRowCount, &cells, handle, options, cancellation)
                }
            }
            return run.isEmpty && ranges.isEmpty
        }

        /// Reads the current range until it or the batch ends.
        private mutating func readRange(
            _ rows: inout RowBuffer, _ maximumRowCount: Int, _ cells: inout [Value], _ handle: LevelDBHandle,
            _ options: LevelDBReadOptions, _ cancellation: Cancellation
        ) throws(StorageError) {
            guard let range = ranges.popLast() else { return }
            let place = handle.iterator(options)
            start(place, range)
            var stepCount = 0
            while isInside(place, range) {
                if rows.rowCount == maximumRowCount {
                    ranges.append(rest(of: range, from: Array(place.key)))
                    return
                }
                stepCount += 1
                if stepCount.isMultiple(of: 256) { try cancellation.check() }
                if index == nil {
                    try table.append(place.value, to: &rows)
                } else {
                    try append(try LevelDBEntry(place), to: &rows, &cells, handle, options)
                }
                step(place)
            }
            try place.check()
        }

        /// Reads the keys of the next run, which is delivered in the opposite direction.
        private mutating func readRun(
            _ handle: LevelDBHandle, _ options: LevelDBReadOptions, _ cancellation: Cancellation
        ) throws(StorageError) {
            guard let range = ranges.popLast(), let runComponentCount else { return }
            let place = handle.iterator(options)
            start(place, range)
            var prefix: [UInt8]?
            while isInside(place, range) {
                if let prefix, !place.key.starts(with: prefix) {
                    ranges.append(rest(of: range, from: Array(place.key)))
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

        private func start(_ place: borrowing LevelDBIterator, _ range: (lower: [UInt8], upper: [UInt8])) {
            if isReversed { place.seek(before: range.upper) } else { place.seek(range.lower) }
        }

        private func isInside(
            _ place: borrowing LevelDBIterator, _ range: (lower: [UInt8], upper: [UInt8])
        ) -> Bool {
            guard place.isValid else { return false }
            return isReversed ? !place.key.precedes(range.lower) : place.key.precedes(range.upper)
        }

        private func step(_ place: borrowing LevelDBIterator) {
            if isReversed { place.previous() } else { place.next() }
        }

        /// What is left of a range from a key that was not delivered.
        private func rest(
            of range: (lower: [UInt8], upper: [UInt8]), from key: [UInt8]
        ) -> (lower: [UInt8], upper: [UInt8]) {
            // The key itself is inside again: behind it comes first what is longer by a NUL.
            isReversed ? (range.lower, key + [0]) : (key, range.upper)
        }

        /// Appends the record of an entry, unless the entry is one that a loss of power left behind.
        private func append(
            _ entry: LevelDBEntry, to rows: inout RowBuffer, _ cells: inout [Value], _ handle: LevelDBHandle,
            _ options: LevelDBReadOptions
        ) throws(StorageError) {
            let key = index == nil ? entry.key : table.prefix + entry.key[entry.prefixCount...]
            let version = try handle.get(key, options) { value throws(StorageError) in
                try table.read(value, into: &cells)
            }
            guard let version else { return }
            if let index {
                let prefix = cells.withUnsafeBufferPointer { table.entryPrefix(ofRow: $0, in: index) }
                if !prefix.elementsEqual(entry.key[..<entry.prefixCount]) { return }
            }
            rows.append(cells, version: version)
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
        init(_ place: borrowing LevelDBIterator, isRecord: Bool = false) throws(StorageError) {
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
