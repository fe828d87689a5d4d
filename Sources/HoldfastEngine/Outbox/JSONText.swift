import HoldfastStorage

/// Writes JSON text.
struct JSONText {
    private(set) var text = ""

    /// Writes an object with a member for each element.
    mutating func object<Element>(
        _ elements: some Sequence<Element>, _ member: (inout JSONText, Element) -> Void
    ) {
        list(elements, "{", "}", member)
    }

    /// Writes an array with an element for each element.
    mutating func array<Element>(_ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void) {
        list(elements, "[", "]", write)
    }

    /// Writes a member's name and value.
    mutating func member(_ name: String, _ value: Value) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member's name.
    mutating func name(_ name: String) {
        string(name)
        text += ":"
    }

    /// Writes a value; JSON as text.
    mutating func value(_ value: Value) {
        switch value {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .double(let value): text += String(value)
        case .text(let value): string(value)
        case .bytes(let value): array(value) { $0.text += String($1) }
        case .date(let value): string(value.text)
        case .time(let value): string(value.text)
        case .timestamp(let value): string(value.text)
        case .list(let values): array(values) { $0.value($1) }
        }
    }

    /// Writes a string.
    mutating func string(_ value: String) { value.appendJSON(to: &text) }

    private mutating func list<Element>(
        _ elements: some Sequence<Element>, _ open: String, _ close: String,
        _ write: (inout JSONText, Element) -> Void
    ) {
        text += open
        var isFirst = true
        for element in elements {
            if !isFirst { text += "," }
            isFirst = false
            write(&self, element)
        }
        text += close
    }
}
