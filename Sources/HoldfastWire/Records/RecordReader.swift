import HoldfastStorage

/// Reads a service's records into rows, one after the other.
struct RecordReader {
    private let layout: RecordLayout
    /// Cells for records that have no value in their columns.
    private let defaults: [Int: Value]
    /// The cells of all records, row after row.
    private var cells: [Value] = []
    /// Where the row of the current record begins in them.
    private var rowStart = 0
    private var items: [RemoteItem] = []
    private var faults: [RemoteFault] = []

    init(_ layout: RecordLayout, filling cells: [Int: Value] = [:]) {
        self.layout = layout
        defaults = cells
    }

    /// What has been read.
    var result: RemoteItems {
        RemoteItems(rows: RowBuffer(columnCount: layout.types.count, cells: cells), items: items, faults: faults)
    }

    /// Reads one record; one that cannot be a row becomes a fault, and the reader moves past it in both cases.
    @inline(__always)
    mutating func record(at index: Int, _ reader: inout JSONReader) {
        let position = (reader.nextByte(), reader.position).1
        appendRow()
        do throws(WireError) {
            items.append(try record(&reader))
        } catch {
            cells.removeLast(cells.count - rowStart)
            reader.position = position
            fault(index, error, &reader)
        }
    }

    /// Begins a row of nulls.
    @inline(__always)
    private mutating func appendRow() {
        rowStart = cells.count
        for _ in 0..<layout.types.count { cells.append(.null) }
    }

    /// Reads a record into the last row, which is null.
    private mutating func record(_ reader: inout JSONReader) throws(WireError) -> RemoteItem {
        var version: Int64?
        var lastChangedAt: Int64?
        var isDeleted = false
        try reader.members(of: layout.members) { (reader, position) throws(WireError) in
            switch layout.members.roles[position] {
            case .column(let column):
                cells[rowStart &+ column] = try reader.cell(layout.kinds[column], layout.types[column])
            case .relation(let position): try relation(layout.relations[position], &reader)
            case .version: version = try reader.integer()
            case .lastChangedAt: lastChangedAt = try reader.integer()
            case .isDeleted: isDeleted = reader.isNull() ? false : try reader.boolean()
            case .ignored: break
            }
        }
        for (column, value) in defaults where cells[rowStart &+ column].isNull { cells[rowStart &+ column] = value }
        guard let version else { throw WireError(.missing, "no '_version'") }
        guard let lastChangedAt else { throw WireError(.missing, "no '_lastChangedAt'") }
        for column in layout.keyColumns where cells[rowStart &+ column].isNull { throw missing(column) }
        if !isDeleted {
            for (column, isRequired) in layout.isRequired.enumerated()
            where isRequired && cells[rowStart &+ column].isNull {
                throw missing(column)
            }
        }
        return RemoteItem(version: version, lastChangedAt: lastChangedAt, isDeleted: isDeleted)
    }

    private mutating func relation(_ keys: RecordLayout.Members, _ reader: inout JSONReader) throws(WireError) {
        if reader.isNull() { return }
        try reader.members(of: keys) { (reader, position) throws(WireError) in
            guard case .column(let column) = keys.roles[position] else { return }
            cells[rowStart &+ column] = try reader.cell(layout.kinds[column], layout.types[column])
        }
    }

    private func missing(_ column: Int) -> WireError {
        WireError(.missing, "no value, though the model requires one", path: layout.names[column])
    }

    // MARK: - Faults

    /// Notes a record that cannot be a row with as much of it as can be read; a tombstone needs only its key.
    private mutating func fault(_ index: Int, _ error: WireError, _ reader: inout JSONReader) {
        let start = reader.position
        reader.skip()
        let json = String(decoding: reader.bytes[start..<reader.position], as: UTF8.self)
        var fault = RemoteFault(index: index, error: error, json: json)
        if let object = try? WireValue(parsing: Array(json.utf8)).object {
            fault.item = Self.item(of: object)
            fault.key = key(of: object)
        }
        guard let item = fault.item, item.isDeleted, let key = fault.key else {
            faults.append(fault)
            return
        }
        appendRow()
        for (column, value) in zip(layout.keyColumns, key.components) { cells[rowStart &+ column] = value }
        items.append(item)
    }

    private static func item(of object: JSONObject) -> RemoteItem? {
        guard let version = object["_version"]?.integer, let lastChangedAt = object["_lastChangedAt"]?.integer else {
            return nil
        }
        return RemoteItem(
            version: version, lastChangedAt: lastChangedAt, isDeleted: object["_deleted"]?.boolean ?? false)
    }

    private func key(of object: JSONObject) -> RecordKey? {
        var components: [Value] = []
        for column in layout.keyColumns {
            guard let value = try? object[layout.names[column]]?.cell(of: layout.types[column]), !value.isNull else {
                return nil
            }
            components.append(value)
        }
        return RecordKey(components)
    }
}
