#if CLI && Server
import ArgumentParser
import Foundation
import Yams

/// Options by their names, as a part of a YAML file has them.
///
/// Each is taken with the form that it must have; ``finish()`` then refuses what nothing took. Errors name the place in
/// the file, and never a value.
struct ConfigurationSection {
    private let file: String
    private let mark: Mark?
    private var members: [(name: String, mark: Mark?, value: Node)] = []
    private var known: Set<String> = []

    /// Reads a file.
    init(file: String) throws {
        guard let data = FileManager.default.contents(atPath: file), data.count <= 1 << 20,
            let text = String(data: data, encoding: .utf8)
        else { throw ValidationError("'\(file)' cannot be read: it must be YAML of at most 1 MiB.") }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw Self.problem(of: error, in: file)
        }
        try self.init(root ?? Node([(Node, Node)]()), file: file)
    }

    private init(_ node: Node, file: String) throws {
        self.file = file
        mark = node.mark
        guard let mapping = node.mapping else {
            throw Self.problem("these must be options with their names: NAME: VALUE", at: node.mark, in: file)
        }
        for (key, value) in mapping {
            guard let name = key.string else { throw Self.problem("a name must be text", at: key.mark, in: file) }
            members.append((name, key.mark, value))
        }
    }

    // MARK: - Taking options

    /// A text; numbers and the like count as what is written.
    mutating func text(_ name: String) throws -> String? {
        try take(name, "text") { $0.null == nil ? $0.string : nil }
    }

    /// A number of a range.
    mutating func integer(_ name: String, in range: ClosedRange<Int> = 0...Int(Int32.max)) throws -> Int? {
        try take(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { node in
            node.int.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A number of seconds.
    mutating func seconds(_ name: String) throws -> Duration? {
        try integer(name, in: 1...Int(Int32.max)).map { .seconds($0) }
    }

    mutating func flag(_ name: String) throws -> Bool? { try take(name, "true or false") { $0.bool } }

    /// A text, or several as a list.
    mutating func texts(_ name: String) throws -> [String] {
        try take(name, "text, or a list of texts") { node in
            guard let list = node.sequence else { return node.mapping == nil ? node.string.map { [$0] } : nil }
            let texts = list.compactMap { $0.null == nil ? $0.string : nil }
            return texts.count == list.count ? texts : nil
        } ?? []
    }

    /// Texts by names that the file chooses.
    mutating func textsByName(_ name: String) throws -> [(name: String, text: String)] {
        try take(name, "names with a text each: NAME: TEXT") { node in
            guard let mapping = node.mapping else { return nil }
            let pairs = mapping.compactMap { key, value in
                key.string.flatMap { name in value.string.map { (name, $0) } }
            }
            return pairs.count == mapping.count ? pairs : nil
        } ?? []
    }

    /// The options of a part; taken by a closure.
    mutating func section(_ name: String, _ read: (inout ConfigurationSection) throws -> Void) throws {
        guard let node = try take(name, "options", { $0 }) else { return }
        var section = try ConfigurationSection(node, file: file)
        try read(&section)
        try section.finish()
    }

    /// The options of each element of a list; taken by a closure.
    mutating func sections<Element>(
        _ name: String, _ read: (inout ConfigurationSection) throws -> Element
    ) throws -> [Element] {
        let nodes = try take(name, "a list of options") { $0.sequence.map(Array.init) } ?? []
        return try nodes.map { node in
            var section = try ConfigurationSection(node, file: file)
            let element = try read(&section)
            try section.finish()
            return element
        }
    }

    /// Refuses an option that would be a secret in a file.
    mutating func refuse(_ name: String, _ way: String) throws {
        known.insert(name)
        guard let member = members.first(where: { $0.name == name }) else { return }
        throw Self.problem("'\(name)' is a secret, which does not belong in a file; \(way)", at: member.mark, in: file)
    }

    /// Refuses options that nothing took.
    func finish() throws {
        guard let member = members.first(where: { !known.contains($0.name) }) else { return }
        let names = known.sorted().joined(separator: ", ")
        throw Self.problem("there is no option '\(member.name)' here; there are \(names)", at: member.mark, in: file)
    }

    /// An error for the whole section.
    func problem(_ message: String) -> ValidationError { Self.problem(message, at: mark, in: file) }

    private mutating func take<Value>(_ name: String, _ form: String, _ read: (Node) -> Value?) throws -> Value? {
        known.insert(name)
        guard let member = members.first(where: { $0.name == name }) else { return nil }
        guard let value = read(member.value) else {
            throw Self.problem("'\(name)' must be \(form)", at: member.value.mark ?? member.mark, in: file)
        }
        return value
    }

    // MARK: - Problems

    private static func problem(_ message: String, at mark: Mark?, in file: String) -> ValidationError {
        let location = mark.map { ":\($0.line):\($0.column)" } ?? ""
        return ValidationError("\(file)\(location): \(message).")
    }

    /// What is wrong with a text that is not YAML; the description of the library has a part of the text.
    private static func problem(of error: any Error, in file: String) -> ValidationError {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            Self.problem("this is not YAML: \(problem)", at: mark, in: file)
        case .duplicatedKeysInMapping(let names, let context):
            problem("there are two of \(names.sorted().joined(separator: ", "))", at: context.mark, in: file)
        default: problem("this is not YAML", at: nil, in: file)
        }
    }
}
#endif
