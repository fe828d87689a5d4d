/// Writes the text of GraphQL documents with two spaces for each level.
struct DocumentWriter {
    private(set) var text = ""
    private var level = 0

    /// Writes one line.
    mutating func line(_ line: String) {
        if !text.isEmpty { text += "\n" }
        text += String(repeating: "  ", count: level) + line
    }

    /// Writes a line with an opening brace, what `body` writes, and the closing brace.
    mutating func block(_ head: String, _ body: (inout DocumentWriter) -> Void) {
        line(head + " {")
        level += 1
        body(&self)
        level -= 1
        line("}")
    }

    /// Writes selected fields.
    mutating func fields(_ fields: [DocumentFields.Field]) {
        for field in fields {
            if field.fields.isEmpty {
                line(field.name)
            } else {
                block(field.name) { $0.fields(field.fields) }
            }
        }
    }
}
