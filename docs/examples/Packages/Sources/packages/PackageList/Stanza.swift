/// The fields of one package that the example uses, as bytes; everything else is skipped.
struct Stanza {
    enum Field: String, CaseIterable {
        case package, version, architecture, maintainer, section, priority, homepage, description, depends, recommends
        case suggests
        case installedSize = "installed-size"
        case preDepends = "pre-depends"
    }

    /// A stanza that holds more is not a package.
    static let maximumByteCount = 1 << 20

    /// Where it begins, counted from 1.
    let line: Int
    private(set) var fault: StanzaFault?
    private var values: [Field: [UInt8]] = [:]
    private var current: Field?
    private var hasField = false
    private var byteCount = 0

    init(line: Int) { self.line = line }

    /// Takes in a line that is not blank.
    mutating func append(_ line: ArraySlice<UInt8>) {
        byteCount += line.count
        if byteCount > Self.maximumByteCount { return fail("it is too long") }
        guard let first = line.first, fault == nil else { return }
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { return continueField(with: line) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            return fail("a line is not a field")
        }
        hasField = true
        current = Self.field(named: line[..<colon])
        guard let current else { return }
        if values.updateValue(Array(line[(colon + 1)...].trimmed), forKey: current) != nil {
            fail("the field '\(current.rawValue)' appears twice")
        }
    }

    /// The text of a field, or `nil` if it is missing or empty.
    func text(_ field: Field) throws(StanzaFault) -> String? {
        guard let bytes = values[field], !bytes.isEmpty else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw StanzaFault("the field '\(field.rawValue)' is not text")
        }
        return text
    }

    func required(_ field: Field) throws(StanzaFault) -> String {
        guard let text = try text(field) else { throw StanzaFault("the field '\(field.rawValue)' is missing") }
        return text
    }

    private mutating func continueField(with line: ArraySlice<UInt8>) {
        guard hasField else { return fail("it begins with a continued line") }
        // The lines below a description's first are the long description.
        guard let current, current != .description else { return }
        values[current, default: []] += [UInt8(ascii: " ")] + line.trimmed
    }

    private mutating func fail(_ message: String) {
        if fault == nil { fault = StanzaFault(message) }
        values = [:]
    }

    private static let fields = Field.allCases.map { (name: Array($0.rawValue.utf8), field: $0) }

    private static func field(named name: ArraySlice<UInt8>) -> Field? {
        for (candidate, field) in fields where candidate.count == name.count {
            if zip(candidate, name).allSatisfy({ $0 == $1.lowercasedASCII }) { return field }
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without spaces and tabs at their ends.
    var trimmed: ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return []
        }
        return self[first...last]
    }
}
