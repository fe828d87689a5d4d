/// Statements that deliver the rows of a query one after the other, and what is bound to them.
package struct SQLQuery<Layout: SQLRowLayout, Parameters: Sendable>: Sendable {
    package struct Part: Sendable {
        /// Without the limit and the offset, which the adapter adds.
        package let sql: String
        package let parameters: Parameters

        package init(sql: String, parameters: Parameters) {
            self.sql = sql
            self.parameters = parameters
        }
    }

    package let parts: [Part]
    package let layout: Layout
    package let limit: Int?
    /// Only in a query of one part.
    package let offset: Int

    /// Whether the statements need a limit or an offset.
    package var isBounded: Bool { limit != nil || offset > 0 }
}

/// Where the cells of a row are among the columns of a result.
package protocol SQLRowLayout: Sendable {
    init(columns: [SQLColumn])
    /// The select list.
    var selection: String { get }
    /// The columns that the cells take; the version follows them.
    var columnCount: Int { get }
}
