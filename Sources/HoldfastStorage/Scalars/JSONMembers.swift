/// Reads the values of one path out of JSON text that was checked when it was stored.
///
/// Lists on the way are scanned through, so that one path may lead to several values. Of members with one name the
/// first counts. Never traps on text that is not JSON; it then ends as if the values were missing.
package struct JSONMembers {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let type: FieldType
    private let found: (Value) -> Void
    private var position = 0

    /// Reads the values at the end of a path.
    ///
    /// - Parameters:
    ///   - members: The names on the way, outermost first.
    ///   - json: The text.
    ///   - type: The values' type; a value of another type counts as missing.
    ///   - found: Takes each value in canonical form, null for a missing one; not called for an empty list on the way.
    package static func read(_ members: [String], in json: String, as type: FieldType, _ found: (Value) -> Void) {
        json.withBytes { bytes in
            withoutActuallyEscaping(found) { found in
                var reader = JSONMembers(bytes: bytes, type: type, found: found)
                reader.follow(members[...])
            }
        }
    }

    /// Whether the object in a text has a member.
    package static func contains(_ member: String, in json: String) -> Bool {
        firstByte(ofMember: member, in: json) != nil
    }

    /// Whether the object in a text has a member that is not null.
    package static func containsValue(of member: String, in json: String) -> Bool {
        firstByte(ofMember: member, in: json).map { $0 != UInt8(ascii: "n") } ?? false
    }

    private static func firstByte(ofMember member: String, in json: String) -> UInt8? {
        json.withBytes { bytes in
            var reader = JSONMembers(bytes: bytes, type: .string, found: { _ in })
            guard reader.next() == UInt8(ascii: "{") else { return nil }
            var found: UInt8?
            reader.visit { reader in
                if reader.memberName() == member, found == nil { found = reader.next() }
                reader.skipValue()
            }
            return found
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, type: FieldType, found: @escaping (Value) -> Void) {
        self.bytes = bytes
        self.type = type
        self.found = found
    }

    /// Follows a path from the value that begins here to its end.
    private mutating func follow(_ members: ArraySlice<String>) {
        guard let member = members.first else { return found(value(as: type)) }
        switch next() {
        case UInt8(ascii: "{"):
            var isFound = false
            visit { reader in
                if reader.memberName() == member, !isFound {
                    isFound = true
                    reader.follow(members.dropFirst())
                } else {
                    reader.skipValue()
                }
            }
            if !isFound { found(.null) }
        case UInt8(ascii: "["): visit { $0.follow(members) }
        default:
            skipValue()
            found(.null)
        }
    }

    /// The value that begins here in the canonical form of a type; null if it is of another type.
    private mutating func value(as type: FieldType) -> Value {
        if case .list(let element, _) = type, next() == UInt8(ascii: "[") {
            var elements: [Value] = []
            visit { elements.append($0.value(as: element)) }
            return (try? type.canonical(.list(elements))) ?? .null
        }
        _ = next()
        let start = position
        skipValue()
        guard start < position else { return .null }
        let isText = bytes[start] == UInt8(ascii: "\"")
        if isText, position - start < 2 || bytes[position - 1] != UInt8(ascii: "\"") { return .null }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
        let value: Value =
            switch text[0] {
            case UInt8(ascii: "\""): .text(Self.unescaped(text.dropFirst().dropLast()))
            case UInt8(ascii: "t"): .boolean(true)
            case UInt8(ascii: "f"): .boolean(false)
            case UInt8(ascii: "n"): .null
            case UInt8(ascii: "{"), UInt8(ascii: "["): .text(String(decoding: text, as: UTF8.self))
            default: Self.number(String(decoding: text, as: UTF8.self), as: type)
            }
        let isContainer = text[0] == UInt8(ascii: "{") || text[0] == UInt8(ascii: "[")
        guard isContainer == (type.storageType == .json) else { return .null }
        return (try? type.canonical(value)) ?? .null
    }

    /// A number as the type's kind of number if it is one of them, so that 1.0 is an integer and 1 is a double.
    private static func number(_ text: String, as type: FieldType) -> Value {
        if let integer = Int64(text), type.storageType == .integer { return .integer(integer) }
        guard let double = Double(text) else { return .null }
        if type.storageType == .integer, let integer = Int64(exactly: double) { return .integer(integer) }
        return .double(double)
    }

    // MARK: - Scanning

    /// The byte with which the next value begins, after white space; 0 at the end.
    private mutating func next() -> UInt8 {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return bytes[position]
            }
        }
        return 0
    }

    /// Scans the members or elements of the container that begins here; `body` moves past one of them.
    private mutating func visit(_ body: (inout JSONMembers) -> Void) {
        position += 1
        while true {
            switch next() {
            case 0: return
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                position += 1
                return
            case UInt8(ascii: ","), UInt8(ascii: ":"): position += 1
            default: body(&self)
            }
        }
    }

    /// The name of the member that begins here; moves past its colon.
    private mutating func memberName() -> String {
        let start = position
        skipValue()
        let name = bytes[start..<position].dropFirst().dropLast()
        if next() == UInt8(ascii: ":") { position += 1 }
        return Self.unescaped(name)
    }

    /// Moves past the value that begins here.
    private mutating func skipValue() {
        var depth = 0
        repeat {
            switch next() {
            case 0: return
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): position += 1
            default: skipWord()
            }
        } while depth > 0
    }

    private mutating func skipString() {
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position = min(position + 1, bytes.count)
    }

    private mutating func skipWord() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"):
                return
            default: position += 1
            }
        }
    }

    // MARK: - Strings

    /// The content of a string; an escaped half of a surrogate pair becomes U+FFFD.
    private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var units: [UInt16] = []
        var text = ""
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let start = index
            while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\\") { index += 1 }
            if start < index {
                text += String(decoding: units, as: UTF16.self) + String(decoding: bytes[start..<index], as: UTF8.self)
                units = []
            }
            guard index + 1 < bytes.endIndex else { break }
            units.append(escape(bytes, &index))
        }
        return text + String(decoding: units, as: UTF16.self)
    }

    /// The unit that the escape at an index represents; moves past it.
    private static func escape(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence, _ index: inout Int) -> UInt16 {
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            let end = min(index + 4, bytes.endIndex)
            defer { index = end }
            return UInt16(String(decoding: bytes[index..<end], as: UTF8.self), radix: 16) ?? 0xFFFD
        default: return UInt16(letter)
        }
    }
}
