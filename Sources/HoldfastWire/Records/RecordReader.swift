import HoldfastStorage

/// Reads a service's records into rows, one after the other.
struct RecordReader {
    private let layout: RecordLayout
    private var cells: [Value]
    private(set) var result: RemoteItems

    init(_ layout: RecordLayout) {
        self.layout = layout
        cells = Array(repeating: .null, count: layout.types.count)
        result = RemoteItems(rows: RowBuffer(columnCount: layout.types.count))
    }

    /// Reads one record; one that cannot be a row becomes a fault, and the reader moves past it in both cases.
    @inline(__always)
    mutating func record(at index: Int, _ reader: inout JSONReader) {
        let start = (reader.nextByte(), reader.position).1
        do throws(WireError) {
            let item = try record(&reader)
            append(item)
        } catch {
            reader.position = start
            for column in cells.indices { cells[column] = .null }
            fault(index, error, &reader)
        }
    }

    /// Moves the cells into a row, which leaves nulls for the next record.
    @inline(__always)
    private mutating func append(_ item: RemoteItem) {
        for column in cells.indices {
            var cell = Value.null
            swap(&cell, &cells[column])
            result.rows.appendCell(cell)
        }
        result.rows.finishRow()
        result.items.append(item)
    }

    /// Reads a record into the cells, which are null.
    private mutating func record(_ reader: inout JSONReader) throws(WireError) -> RemoteItem {
        var version: Int64?
        var lastChangedAt: Int64?
        var isDeleted = false
        var guess = 0
        try reader.members { (reader, name) throws(WireError) in
            guard let position = layout.members.position(of: name, guess: guess) else { return }
            guess = position &+ 1
            do throws(WireError) {
                switch layout.members.roles[position] {
                case .column(let column):
                    cells[column] = try reader.cell(layout.kinds[column], layout.types[column])
                case .relation(let position): try relation(layout.relations[position], &reader)
                case .version: version = try reader.integer()
                case .lastChangedAt: lastChangedAt = try reader.integer()
                case .isDeleted: isDeleted = reader.isNull() ? false : try reader.boolean()
                case .ignored: break
                }
            } catch {
                throw error.inMember((try? name.text()) ?? "")
            }
        }
        guard let version else { throw WireError(.missing, "no '_version'") }
        guard let lastChangedAt else { throw WireError(.missing, "no '_lastChangedAt'") }
        for column in layout.keyColumns where cells[column].isNull { throw missing(column) }
        if !isDeleted {
            for column in cells.indices where layout.isRequired[column] && cells[column].isNull {
                throw missing(column)
            }
        }
        return RemoteItem(version: version, lastChangedAt: lastChangedAt, isDeleted: isDeleted)
    }

    private mutating func relation(_ keys: RecordLayout.Members, _ reader: inout JSONReader) throws(WireError) {
        if reader.isNull() { return }
        try reader.members { (reader, name) throws(WireError) in
            guard let position = keys.position(of: name, guess: 0), case .column(let column) = keys.roles[position]
            else { return }
            do throws(WireError) {
                cells[column] = try reader.cell(layout.kinds[column], layout.types[column])
            } catch {
                throw error.inMember((try? name.text()) ?? "")
            }
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
        if let object = try? JSONValue(parsing: Array(json.utf8)).object {
            fault.item = Self.item(of: object)
            fault.key = key(of: object)
        }
        guard let item = fault.item, item.isDeleted, let key = fault.key else {
            result.faults.append(fault)
            return
        }
        for (column, value) in zip(layout.keyColumns, key.components) { cells[column] = value }
        append(item)
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
