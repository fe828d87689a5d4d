import HoldfastStorage

/// Items as the rows that adapters keep; what a generated row codec does.
extension Item {
    /// The entity of every store that is used through its adapter.
    static let entity = EntitySchema(
        "Item",
        fields: [
            FieldSchema("id", .id, isRequired: true), FieldSchema("title", .string, isRequired: true),
            FieldSchema("content", .string, isRequired: true), FieldSchema("rating", .int, isRequired: true),
            FieldSchema("status", .enumeration("Status"), isRequired: true),
            FieldSchema("createdAt", .dateTime, isRequired: true),
        ], indexes: [IndexSchema("byStatus", on: ["status", "createdAt"])])

    /// Appends the item's cells to a buffer of rows.
    @inline(__always)
    func append(to rows: inout RowBuffer) {
        rows.appendCell(.text(id))
        rows.appendCell(.text(title))
        rows.appendCell(.text(content))
        rows.appendCell(.integer(Int64(rating)))
        rows.appendCell(.text(status))
        rows.appendCell(.timestamp(createdAt))
        rows.finishRow()
    }

    /// The item of a row; `nil` if the cells are not an item's.
    @inline(__always)
    init?(_ cells: UnsafeBufferPointer<Value>) {
        guard case .text(let id) = cells[0], case .text(let title) = cells[1], case .text(let content) = cells[2],
            case .integer(let rating) = cells[3], case .text(let status) = cells[4],
            case .timestamp(let createdAt) = cells[5]
        else { return nil }
        self.init(
            id: id, title: title, content: content, rating: Int(rating), status: status, createdAt: createdAt)
    }
}

extension RowBuffer {
    /// The rows of items.
    init(_ items: some Collection<Item>) {
        self.init(columnCount: 6, rowCapacity: items.count)
        for item in items { item.append(to: &self) }
    }

    /// Appends the items of all rows to an array.
    func append(to items: inout [Item]) {
        for row in 0..<rowCount { withRow(row) { if let item = Item($0) { items.append(item) } } }
    }

    /// Calls a closure with the item of each row that is one.
    @inline(__always)
    func forEachItem(_ body: (Item) -> Void) {
        for row in 0..<rowCount { withRow(row) { if let item = Item($0) { body(item) } } }
    }
}
