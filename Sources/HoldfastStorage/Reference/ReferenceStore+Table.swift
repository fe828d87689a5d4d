extension ReferenceStore {
    /// The records of one entity in key order.
    struct Table: Sendable {
        private(set) var keys: [RecordKey] = []
        private(set) var records: [Record] = []

        func record(_ key: RecordKey) -> Record? {
            let (index, exists) = position(of: key)
            return exists ? records[index] : nil
        }

        func records(in range: KeyRange) -> ArraySlice<Record> {
            let lower = keys.partitionPoint { !range.isAboveLower($0.components) }
            let upper = keys.partitionPoint { range.isBelowUpper($0.components) }
            return records[lower..<max(lower, upper)]
        }

        mutating func put(_ record: Record, _ key: RecordKey) {
            let (index, exists) = position(of: key)
            if exists {
                (keys[index], records[index]) = (key, record)
            } else {
                keys.insert(key, at: index)
                records.insert(record, at: index)
            }
        }

        mutating func remove(_ key: RecordKey) -> Bool {
            let (index, exists) = position(of: key)
            if exists {
                keys.remove(at: index)
                records.remove(at: index)
            }
            return exists
        }

        private func position(of key: RecordKey) -> (index: Int, exists: Bool) {
            let index = keys.partitionPoint { $0 < key }
            return (index, index < keys.count && keys[index] == key)
        }
    }
}

extension [RecordKey] {
    /// The first key that does not lie before a place, in O(log n) time.
    fileprivate func partitionPoint(_ liesBefore: (RecordKey) -> Bool) -> Int {
        var (lower, upper) = (0, count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if liesBefore(self[middle]) { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }
}
