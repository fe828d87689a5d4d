public import HoldfastStorage

/// Names a schema by what of it affects storage.
///
/// Equal for schemas whose stores are interchangeable: the order of models, fields and indexes counts for nothing, nor
/// do documentation, access rules, and types that are stored alike.
public struct SchemaVersion: Sendable, Hashable, CustomStringConvertible {
    /// 32 hexadecimal digits; the same on every platform and in every version of Holdfast.
    public let hash: String

    /// The hash.
    public var description: String { hash }

    /// Computes the version of a schema.
    public init(of entities: [EntitySchema]) {
        var text = ""
        for entity in entities.sorted(by: { $0.name < $1.name }) {
            text += Self.line("entity", [entity.name])
            text += Self.line("key", entity.primaryKey)
            for field in entity.fields.sorted(by: { $0.name < $1.name }) {
                text += Self.line(
                    "field", [field.name, field.type.storageType.catalogName, field.isRequired ? "required" : ""])
            }
            for index in entity.indexes.sorted(by: { $0.name < $1.name }) {
                text += Self.line(index.isUnique ? "unique" : "index", [index.name] + index.fields)
            }
        }
        var hash = FNVHash()
        for byte in text.utf8 { hash.add(byte) }
        self.hash = hash.digits
    }

    /// The setting under which a store keeps the version it was last opened with.
    ///
    /// Between a migration and the end of the opening, the models that it emptied follow the version before.
    static let settingKey = "schemaVersion"

    /// A value of the setting that also names models which a migration empties.
    static func noting(emptied models: [String], with value: String) -> String {
        ([value] + models).joined(separator: " ")
    }

    /// The models that a value of the setting names, each once.
    static func emptiedModels(in value: String) -> Set<String> {
        Set(value.split(separator: " ").dropFirst().map { String($0) })
    }

    private static func line(_ kind: String, _ words: [String]) -> String {
        // With its length, so that no name can pass for two.
        kind + words.map { " \($0.utf8.count):\($0)" }.joined() + "\n"
    }
}
