/// A table that scrolls on its own where it is wider than the screen.
package struct DataTable: Sendable {
    /// What the cells of a column hold.
    package enum Alignment: String, Sendable { case text, number, chart, mark }

    /// A column.
    package struct Column: Sendable {
        var title: HTML
        var alignment: Alignment

        package init(_ title: HTML, _ alignment: Alignment = .text) {
            self.title = title
            self.alignment = alignment
        }
    }

    /// A row; its first cell names it.
    package struct Row: Sendable {
        var id: String?
        var cells: [HTML]
        /// Classes of the cells, in their order; none by default.
        var classes: [String]
        /// What the filter of the page looks for.
        var keys: [String]

        package init(id: String? = nil, _ cells: [HTML], classes: [String] = [], keys: [String] = []) {
            self.id = id
            self.cells = cells
            self.classes = classes
            self.keys = keys
        }
    }

    private let caption: String
    private let columns: [Column]
    private let rows: [Row]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - caption: A description for screen readers.
    ///   - columns: The columns, from left to right.
    ///   - rows: The rows, from top to bottom.
    package init(_ caption: String, _ columns: [Column], _ rows: [Row]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    /// The table.
    package var html: HTML {
        let head = columns.map { column -> HTML in
            "<th scope=\"col\" class=\"\(column.alignment.rawValue)\">\(column.title)</th>"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table>
            <caption class="spoken">\(caption)</caption>
            <thead><tr>\(head.joined())</tr></thead>
            <tbody>
            \(rows.map(row).joined())
            </tbody>
            </table></div>
            """
    }

    private func row(_ row: Row) -> HTML {
        let cells = zip(columns, row.cells.indices).map { column, index -> HTML in
            let own = index < row.classes.count ? row.classes[index] : ""
            let names = own.isEmpty ? column.alignment.rawValue : "\(column.alignment.rawValue) \(own)"
            return index == 0
                ? "<th scope=\"row\" class=\"\(names)\">\(row.cells[index])</th>"
                : "<td class=\"\(names)\">\(row.cells[index])</td>"
        }
        let id: HTML = row.id.map { " id=\"\($0)\"" } ?? ""
        let keys: HTML = row.keys.isEmpty ? "" : " data-keys=\"\(row.keys.joined(separator: " "))\""
        return "<tr\(id)\(keys)>\(cells.joined())</tr>"
    }
}
