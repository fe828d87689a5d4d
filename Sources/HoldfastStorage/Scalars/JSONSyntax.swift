/// Checks JSON text against RFC 8259 without building anything from it.
///
/// Strict: one value, no trailing text, no leading zeros, no raw control characters in strings. What the value means
/// is left alone, so an escape of U+0000 or of a lone surrogate is six ordinary characters.
package enum JSONSyntax {
    /// Where and why a text is not JSON.
    package struct Fault: Error {
        /// The problem, as a phrase.
        package let problem: String
        /// The index of the first byte that is not allowed where it is; the length of a text that ends too early.
        package let offset: Int
        /// Whether the text may be JSON, but more of it than is allowed.
        package let isLimit: Bool

        /// The problem, its place and the form that is expected.
        var reason: String { "\(problem) at byte \(offset); expected JSON text as in RFC 8259" }
    }

    /// Checks a text.
    ///
    /// - Parameters:
    ///   - text: The whole text; space, tabs and line breaks may surround the value.
    ///   - maximumDepth: How many arrays and objects may be open at once; 512 by default.
    /// - Throws: ``InvalidScalar`` of type ``FieldType/json``; its reason contains the byte offset.
    /// - Complexity: O(n) in bytes; does not recurse.
    static func validate(_ text: String, maximumDepth: Int = 512) throws(InvalidScalar) {
        if let fault = firstFault(in: text, maximumDepth: maximumDepth) {
            throw InvalidScalar(type: .json, reason: fault.reason)
        }
    }

    /// The first fault of a text, if any.
    ///
    /// - Parameters:
    ///   - text: The whole text.
    ///   - maximumDepth: How many arrays and objects may be open at once.
    ///   - maximumValues: How many values there may be, those inside of arrays and objects included.
    ///   - objectIsRequired: Whether a value other than an object is a fault.
    /// - Returns: The fault, or `nil` if the text has none.
    package static func firstFault(
        in text: String, maximumDepth: Int = 512, maximumValues: Int = .max, objectIsRequired: Bool = false
    ) -> Fault? {
        text.withBytes {
            firstFault(
                in: $0, maximumDepth: maximumDepth, maximumValues: maximumValues, objectIsRequired: objectIsRequired)
        }
    }

    /// The first fault of a text as UTF-8, which is taken as valid; otherwise as for a `String`.
    package static func firstFault(
        in bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, maximumValues: Int, objectIsRequired: Bool = false
    ) -> Fault? {
        // No text opens more containers than it has bytes.
        let depth = max(0, min(maximumDepth, bytes.count))
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: depth) { (closers) -> Fault? in
            var scanner = JSONScanner(bytes: bytes, closers: closers, valuesLeft: maximumValues)
            do throws(Fault) {
                try scanner.scan(objectIsRequired: objectIsRequired)
                return nil
            } catch {
                return error
            }
        }
    }
}

/// One pass over JSON text.
private struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The bytes that close the open containers, outermost first; its size is the greatest depth.
    private let closers: UnsafeMutableBufferPointer<UInt8>
    private var position = 0
    private var depth = 0
    /// How many more values there may be.
    private var valuesLeft: Int

    init(bytes: UnsafeBufferPointer<UInt8>, closers: UnsafeMutableBufferPointer<UInt8>, valuesLeft: Int) {
        self.bytes = bytes
        self.closers = closers
        self.valuesLeft = valuesLeft
    }

    /// Reads one value and the end of the text.
    mutating func scan(objectIsRequired: Bool) throws(JSONSyntax.Fault) {
        skipSpace()
        if objectIsRequired, position < bytes.count, bytes[position] != UInt8(ascii: "{") {
            throw fault("a value other than an object")
        }
        repeat {
            try valueStart()
        } while try endOfValueExpectsAnother()
        guard position == bytes.count else { throw fault("text after the value") }
    }

    /// Reads a scalar or an empty container whole, of any other container the start up to its first value.
    private mutating func valueStart() throws(JSONSyntax.Fault) {
        while true {
            skipSpace()
            guard position < bytes.count else { throw fault("no value") }
            guard valuesLeft > 0 else { throw fault("more values than are allowed", isLimit: true) }
            valuesLeft &-= 1
            switch bytes[position] {
            case UInt8(ascii: "\""): return try string()
            case UInt8(ascii: "{"):
                try open(closer: UInt8(ascii: "}"))
                if closesAtOnce() { return }
                try key()
            case UInt8(ascii: "["):
                try open(closer: UInt8(ascii: "]"))
                if closesAtOnce() { return }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
            case UInt8(ascii: "t"): return try literal("true")
            case UInt8(ascii: "f"): return try literal("false")
            case UInt8(ascii: "n"): return try literal("null")
            default: throw fault("no value")
            }
        }
    }

    /// Closes the containers that end here; returns whether a comma follows, and therefore another value.
    private mutating func endOfValueExpectsAnother() throws(JSONSyntax.Fault) -> Bool {
        skipSpace()
        while depth > 0 {
            guard position < bytes.count else { throw fault("an array or object that is not closed") }
            let closer = closers[depth &- 1]
            if bytes[position] == UInt8(ascii: ",") {
                position &+= 1
                if closer == UInt8(ascii: "}") { try key() }
                return true
            }
            guard bytes[position] == closer else { throw fault("neither a comma nor the end of the array or object") }
            position &+= 1
            depth &-= 1
            skipSpace()
        }
        return false
    }

    private mutating func open(closer: UInt8) throws(JSONSyntax.Fault) {
        guard depth < closers.count else {
            throw fault("more than \(closers.count) nested arrays and objects", isLimit: true)
        }
        closers[depth] = closer
        depth &+= 1
        position &+= 1
    }

    /// Closes the container just opened if there is nothing in it.
    private mutating func closesAtOnce() -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == closers[depth &- 1] else { return false }
        position &+= 1
        depth &-= 1
        return true
    }

    /// Reads the name of a member and its colon.
    private mutating func key() throws(JSONSyntax.Fault) {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw fault("no member name") }
        try string()
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { throw fault("no colon") }
        position &+= 1
    }

    private mutating func string() throws(JSONSyntax.Fault) {
        position &+= 1
        while true {
            position &+= UTF8Scan.plainRun(bytes, from: position)
            guard position < bytes.count else { throw fault("a string that is not closed") }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position &+= 1
                return
            case UInt8(ascii: "\\"): try escape()
            default: throw fault("a control character in a string")
            }
        }
    }

    private mutating func escape() throws(JSONSyntax.Fault) {
        position &+= 1
        guard position < bytes.count else { throw fault("a string that is not closed") }
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position &+= 1
        case UInt8(ascii: "u"):
            position &+= 1
            for _ in 0..<4 {
                guard position < bytes.count, ASCII.isHexDigit(bytes[position]) else {
                    throw fault("an escape without four hexadecimal digits")
                }
                position &+= 1
            }
        default: throw fault("an unknown escape")
        }
    }

    private mutating func number() throws(JSONSyntax.Fault) {
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
            position &+= 1
            if position < bytes.count, ASCII.isDigit(bytes[position]) { throw fault("a number with a leading zero") }
        } else {
            try digits()
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position &+= 1
            try digits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position &+= 1
            }
            try digits()
        }
    }

    private mutating func digits() throws(JSONSyntax.Fault) {
        let start = position
        while position < bytes.count, ASCII.isDigit(bytes[position]) { position &+= 1 }
        guard position > start else { throw fault("a number without a digit") }
    }

    private mutating func literal(_ word: StaticString) throws(JSONSyntax.Fault) {
        for index in 0..<word.utf8CodeUnitCount {
            guard position < bytes.count, bytes[position] == word.utf8Start[index] else { throw fault("no value") }
            position &+= 1
        }
    }

    @inline(__always)
    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position &+= 1
            default: return
            }
        }
    }

    private func fault(_ problem: String, isLimit: Bool = false) -> JSONSyntax.Fault {
        JSONSyntax.Fault(problem: problem, offset: position, isLimit: isLimit)
    }
}
