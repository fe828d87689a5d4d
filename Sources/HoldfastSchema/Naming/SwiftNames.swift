/// Which names Swift allows where.
package enum SwiftNames {
    private static let keywords: Set<String> = [
        "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
        "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
        "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while", "Any",
    ]

    /// Names that no field can have, with or without back-ticks; cases of enums can have all but `_`.
    private static let impossibleFields: Set<String> = ["self", "Self", "Type", "Protocol", "_"]

    /// Names that generated files use for something else.
    private static let typesInUse: Set<String> = [
        "AmplifyModelRegistration", "AmplifyModels", "Any", "Bool", "CodingKeys", "Decoder", "DefaultModelIdentifier",
        "Double", "Embeddable", "Encoder", "EnumPersistable", "FieldPath", "Identifier", "IdentifierFormat",
        "IdentifierProtocol", "Int", "LazyReference", "List", "Model", "ModelError", "ModelIdentifiable",
        "ModelIdentifier", "ModelIdentifierFormat", "ModelKey", "ModelPath", "ModelRegistry", "ModelSchema",
        "ModelType", "Path", "PropertyContainerPath", "Protocol", "RowReader", "RowWriter", "Self", "String",
        "Temporal", "Type", "UUID", "container", "decoder", "encoder", "keys", "model", "rootPath", "row", "rule",
        "schema", "values",
    ]

    /// Names that mean something else where the identifier of a key is made.
    private static let typesInUseByKeys: Set<String> = ["F", "Field", "Fields", "M"]

    /// The name as it is written in code, in backticks if it is a word of the language.
    package static func identifier(_ name: String) -> String {
        keywords.contains(name) || impossibleFields.contains(name) ? "`\(name)`" : name
    }

    /// The name of an enum's Swift type: the words of the schema's name in Pascal case.
    package static func enumType(_ name: String) -> String {
        let pascal = Names.pascalCase(name)
        return pascal.first?.isLetter == true ? pascal : name
    }

    /// What is wrong with the name of a type; `nil` if nothing is.
    package static func problem(ofType name: String) -> (message: String, hint: String)? {
        guard keywords.contains(name) || typesInUse.contains(name) || impossibleFields.contains(name) else {
            return nil
        }
        return ("\"\(name)\" is a reserved word that no Swift type can have as its name here", "Rename the type.")
    }

    /// What is wrong with the name of an enum that is part of a key of several fields, or of one that is not `id`.
    package static func problem(ofTypeInKey name: String) -> (message: String, hint: String)? {
        guard typesInUseByKeys.contains(name) else { return nil }
        return ("\"\(name)\" is a reserved word that no type in a key can have as its name here", "Rename the type.")
    }

    /// What is wrong with the name of a field; `nil` if nothing is.
    package static func problem(ofField name: String) -> (message: String, hint: String)? {
        guard impossibleFields.contains(name) else { return nil }
        return ("\"\(name)\" is a reserved word that no Swift property can have as its name", "Rename the field.")
    }

    /// What is wrong with the name of an enum's value; `nil` if nothing is.
    package static func problem(ofCase name: String) -> (message: String, hint: String)? {
        guard name == "_" else { return nil }
        return ("\"_\" is a reserved word that no Swift case can have as its name", "Rename the value.")
    }
}
