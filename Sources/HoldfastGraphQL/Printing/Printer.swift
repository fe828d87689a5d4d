/// Writes nodes in the one canonical form: two spaces of indentation, one definition after an empty line.
///
/// Descriptions and strings of several lines become block strings where that keeps their value.
struct Printer {
    /// The text so far, as UTF-8.
    private(set) var output: [UInt8] = []
    private var indentation = 0

    /// The text that a function writes.
    static func text(_ write: (inout Printer) -> Void) -> String {
        var printer = Printer()
        write(&printer)
        return String(decoding: printer.output, as: UTF8.self)
    }

    mutating func write(_ text: String) {
        output.append(contentsOf: text.utf8)
    }

    /// Starts a line at the current indentation.
    mutating func newLine() {
        write("\n")
        for _ in 0..<indentation { write("  ") }
    }

    /// Writes nodes on their own lines between two marks.
    mutating func block<Node>(
        _ open: String, _ nodes: [Node], _ close: String, _ writeNode: (inout Printer, Node) -> Void
    ) {
        write(open)
        indentation += 1
        for node in nodes {
            newLine()
            writeNode(&self, node)
        }
        indentation -= 1
        newLine()
        write(close)
    }

    /// Writes nodes on one line with a separator between them.
    mutating func joined<Node>(
        _ nodes: [Node], _ separator: String, _ writeNode: (inout Printer, Node) -> Void
    ) {
        for (index, node) in nodes.enumerated() {
            if index > 0 { write(separator) }
            writeNode(&self, node)
        }
    }

    /// Writes a description, if there is one, on lines of its own.
    mutating func description(_ text: String?) {
        guard let text else { return }
        let isBlock = text.utf8.contains { $0 == 0x0A || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        if isBlock, BlockString.canHold(text) {
            blockString(text)
        } else {
            quoted(text)
        }
        newLine()
    }

    mutating func document(_ document: GraphQLDocument) {
        for (index, definition) in document.definitions.enumerated() {
            if index > 0 { write("\n") }
            self.definition(definition)
            write("\n")
        }
    }

    mutating func definition(_ definition: Definition) {
        switch definition {
        case .operation(let operation): self.operation(operation)
        case .fragment(let fragment): self.fragment(fragment)
        case .schema(let schema): self.schema(schema, isExtension: false)
        case .schemaExtension(let schema): self.schema(schema, isExtension: true)
        case .type(let type): self.type(type, isExtension: false)
        case .typeExtension(let type): self.type(type, isExtension: true)
        case .directive(let directive): self.directiveDefinition(directive)
        }
    }
}

// MARK: - Values

extension Printer {
    mutating func value(_ value: GraphQLValue) {
        switch value.content {
        case .variable(let name): write("$" + name)
        case .int(let digits), .float(let digits): write(digits)
        case .string(let text): string(text)
        case .boolean(let value): write(value ? "true" : "false")
        case .null: write("null")
        case .enumeration(let name): write(name)
        case .list(let values):
            write("[")
            joined(values, ", ") { $0.value($1) }
            write("]")
        case .object(let fields):
            write("{")
            joined(fields, ", ") { printer, field in
                printer.write(field.name.text + ": ")
                printer.value(field.value)
            }
            write("}")
        }
    }

    mutating func arguments(_ arguments: [Argument]) {
        guard !arguments.isEmpty else { return }
        write("(")
        joined(arguments, ", ") { printer, argument in
            printer.write(argument.name.text + ": ")
            printer.value(argument.value)
        }
        write(")")
    }

    /// Writes directives, each after a space.
    mutating func directives(_ directives: [Directive]) {
        for directive in directives {
            write(" ")
            self.directive(directive)
        }
    }

    mutating func directive(_ directive: Directive) {
        write("@" + directive.name.text)
        arguments(directive.arguments)
    }

    private mutating func string(_ text: String) {
        if text.utf8.contains(0x0A), BlockString.canHold(text) {
            indentation += 1
            blockString(text)
            indentation -= 1
        } else {
            quoted(text)
        }
    }

    /// Writes a block string whose lines have the current indentation.
    private mutating func blockString(_ text: String) {
        write("\"\"\"")
        newLine()
        var quotes = 0
        for byte in text.utf8 {
            if byte == 0x0A {
                newLine()
                quotes = 0
                continue
            }
            quotes = byte == UInt8(ascii: "\"") ? quotes + 1 : 0
            if quotes == 3 {
                output.removeLast(2)
                write("\\\"\"\"")
                quotes = 0
            } else {
                output.append(byte)
            }
        }
        newLine()
        write("\"\"\"")
    }

    private mutating func quoted(_ text: String) {
        write("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": write("\\\"")
            case "\\": write("\\\\")
            case "\u{08}": write("\\b")
            case "\u{0C}": write("\\f")
            case "\n": write("\\n")
            case "\r": write("\\r")
            case "\t": write("\\t")
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FEFF}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            default: output.append(contentsOf: scalar.utf8)
            }
        }
        write("\"")
    }
}
