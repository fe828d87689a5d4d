/// What is wrong with the tags of a page; `nil` if all of them are balanced, their attributes are quoted, and every
/// ampersand begins an entity.
///
/// The parser of FoundationXML repairs what is not well-formed instead of reporting it.
public func markupProblem(in text: String) -> String? {
    var open: [Substring] = []
    var rest = text[...]
    while let next = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
        let start = rest[next...]
        if start.first == "&" {
            let name = start.dropFirst().prefix { $0.isLetter }
            if !["amp", "lt", "gt", "quot"].contains(name) || start.dropFirst(1 + name.count).first != ";" {
                return "an ampersand without a name: \(start.prefix(30))"
            }
            rest = start.dropFirst()
            continue
        }
        guard let tag = MarkupTag(start) else { return "not a tag: \(start.prefix(60))" }
        switch tag.kind {
        case .opening: open.append(tag.name)
        case .closing:
            guard open.last == tag.name else { return "</\(tag.name)> in \(open.joined(separator: " "))" }
            open.removeLast()
        case .empty, .declaration: break
        }
        rest = tag.rest
    }
    return open.isEmpty ? nil : "never closed: \(open.joined(separator: " "))"
}

/// A tag at the start of a text.
private struct MarkupTag {
    enum Kind { case opening, closing, empty, declaration }

    var kind = Kind.opening
    var name: Substring
    /// What follows the tag.
    var rest: Substring

    init?(_ text: Substring) {
        rest = text.dropFirst()
        name = ""
        if rest.hasPrefix("!DOCTYPE html>") {
            kind = .declaration
            rest = rest.dropFirst("!DOCTYPE html>".count)
            return
        }
        if rest.first == "/" {
            kind = .closing
            rest = rest.dropFirst()
        }
        name = rest.prefix { $0.isLetter || $0.isNumber }
        rest = rest.dropFirst(name.count)
        if name.isEmpty { return nil }
        while rest.first == " " || rest.first == "\n" {
            rest = rest.drop { $0 == " " || $0 == "\n" }
            let attribute = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
            if attribute.isEmpty { break }
            rest = rest.dropFirst(attribute.count)
            guard kind == .opening, rest.hasPrefix("=\"") else { return nil }
            rest = rest.dropFirst(2).drop { $0 != "\"" && $0 != "<" }
            guard rest.first == "\"" else { return nil }
            rest = rest.dropFirst()
        }
        if rest.first == "/", kind == .opening {
            kind = .empty
            rest = rest.dropFirst()
        }
        guard rest.first == ">" else { return nil }
        rest = rest.dropFirst()
    }
}
