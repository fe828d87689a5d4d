/// One package as the list describes it.
struct PackageListEntry: Equatable {
    struct Contact: Equatable {
        var name: String
        var email: String
    }

    struct Wish: Equatable {
        var kind: DependencyKind
        var target: String
        var constraint: String?
    }

    var name: String
    var version: String
    var architecture: String
    var summary: String
    var installedSize: Int
    var homepage: String?
    var priority: PackagePriority?
    var section: String?
    var maintainer: Contact?
    /// In the order of the list; alternatives follow one another.
    var wishes: [Wish] = []
}

/// Why a stanza is not a package.
struct StanzaFault: Error, Equatable {
    var message: String

    init(_ message: String) { self.message = message }
}

extension PackageListEntry {
    /// No name in the archive is nearly as long, and no adapter has trouble with a key of this size.
    static let longestName = 200

    init(_ stanza: Stanza) throws(StanzaFault) {
        name = try Self.checked(name: try stanza.required(.package))
        version = try stanza.required(.version)
        architecture = try stanza.required(.architecture)
        summary = try stanza.text(.description) ?? ""
        homepage = try stanza.text(.homepage)
        priority = try stanza.text(.priority).flatMap { PackagePriority(rawValue: $0.uppercased()) }
        section = try stanza.text(.section)
        if let section, section.utf8.count > Self.longestName { throw StanzaFault("the section's name is too long") }
        maintainer = try stanza.text(.maintainer).map(Self.contact)
        if let maintainer, maintainer.email.utf8.count > Self.longestName {
            throw StanzaFault("the maintainer's address is too long")
        }
        let size = try stanza.text(.installedSize) ?? "0"
        guard let size = Int(size), size >= 0 else { throw StanzaFault("the installed size is not a number") }
        installedSize = size
        for (field, kind) in Self.relations {
            if let text = try stanza.text(field) { wishes += try Self.wishes(text, kind) }
        }
    }

    private static let relations: [(Stanza.Field, DependencyKind)] = [
        (.preDepends, .preDepends), (.depends, .depends), (.recommends, .recommends), (.suggests, .suggests),
    ]

    /// "Name <address>"; what has no address is its own.
    private static func contact(_ text: String) -> Contact {
        guard let open = text.lastIndex(of: "<"), text.hasSuffix(">") else { return Contact(name: text, email: text) }
        let email = text[text.index(after: open)...].dropLast()
        let name = text[..<open].trimmed
        return Contact(name: name.isEmpty ? String(email) : name, email: String(email))
    }

    /// "a (>= 1), b | c": each name is a wish.
    private static func wishes(_ text: String, _ kind: DependencyKind) throws(StanzaFault) -> [Wish] {
        var wishes: [Wish] = []
        for part in text.split(whereSeparator: { $0 == "," || $0 == "|" }) where !part.trimmed.isEmpty {
            var name = part.trimmed
            var constraint: String?
            if let open = name.firstIndex(of: "(") {
                guard let close = name[open...].firstIndex(of: ")") else {
                    throw StanzaFault("a dependency has no closing parenthesis")
                }
                constraint = name[name.index(after: open)..<close].trimmed
                name = name[..<open].trimmed
            }
            // What follows a colon, as in "python3:any", says on which architecture.
            let target = name.prefix { $0 != ":" && $0 != " " && $0 != "[" && $0 != "<" }
            wishes.append(Wish(kind: kind, target: try checked(name: String(target)), constraint: constraint))
        }
        return wishes
    }

    private static func checked(name: String) throws(StanzaFault) -> String {
        let isValid = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isValid, !name.isEmpty, name.utf8.count <= longestName else {
            throw StanzaFault("a package has no valid name")
        }
        return name
    }
}

extension StringProtocol {
    /// The text without spaces at its ends.
    var trimmed: String {
        guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return String(self[first...last])
    }
}
