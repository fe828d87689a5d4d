package import HoldfastStorage

/// A setting of a store.
package struct Setting: Sendable, Hashable {
    /// The setting's name.
    package var key: String
    /// Its value.
    package var value: String

    /// Creates a setting.
    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    /// The entity in which every adapter keeps the settings.
    package static let entity = EntitySchema(
        "__settings", fields: [FieldSchema("key", .string), FieldSchema("value", .string, isRequired: true)],
        primaryKey: ["key"], isInChangeFeed: false)

    /// The cells of the record in ``entity``.
    package var row: [Value] { [.text(key), .text(value)] }
}
