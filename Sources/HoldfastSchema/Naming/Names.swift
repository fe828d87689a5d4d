/// How names are joined and spelled.
package enum Names {
    /// The name with its first letter in lower case.
    package static func lowerFirst(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

    /// The name with its first letter in upper case.
    package static func upperFirst(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// The name of a generated foreign key field: `postCommentsId` for the key `id` and the field `Post.comments`.
    package static func foreignKey(_ model: String, _ field: String, _ key: String) -> String {
        lowerFirst(model) + upperFirst(field) + upperFirst(key)
    }

    /// The names of the fields that lead from a join model to one of its sides.
    ///
    /// The fields of a key after the first keep their first letter, as the service has it.
    package static func joinKeys(_ model: String, _ key: [String]) -> [String] {
        key.enumerated().map { lowerFirst(model) + ($0.offset == 0 ? upperFirst($0.element) : $0.element) }
    }

    /// The name of the query of an index without a name, which names the index too.
    package static func index(plural: String, fields: [String]) -> String {
        lowerFirst(plural) + "By" + fields.map(upperFirst).joined(separator: "And")
    }

    /// The words of a name in camel case: `highGloss` for `HIGH_GLOSS`.
    package static func camelCase(_ name: String) -> String { lowerFirst(pascalCase(name)) }

    /// The words of a name in Pascal case, as npm's `change-case` has it: `HighGloss` for `HIGH_GLOSS`.
    package static func pascalCase(_ name: String) -> String {
        var result = ""
        for (index, word) in words(of: name).enumerated() {
            result += (index > 0 && word.first?.isNumber == true ? "_" : "") + upperFirst(word.lowercased())
        }
        return result
    }

    private static func words(of name: String) -> [String] {
        var words: [[Character]] = []
        var current: [Character] = []
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            guard character != "_" else {
                if !current.isEmpty { words.append(current) }
                current = []
                continue
            }
            if let last = current.last, character.isUppercase {
                let next = index + 1 < characters.count ? characters[index + 1] : nil
                if !last.isUppercase || next?.isLowercase == true {
                    words.append(current)
                    current = []
                }
            }
            current.append(character)
        }
        if !current.isEmpty { words.append(current) }
        return words.map { String($0) }
    }
}
