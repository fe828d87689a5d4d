package import HoldfastGraphQL

/// A model as the API shows it.
package struct APIModel: Sendable {
    /// An index that may have a query.
    package struct Index: Sendable {
        package var name: String
        package var fields: [String]
        /// The query's name; `nil` if it has none.
        package var query: String?
    }

    package let model: ModelType
    package let settings: ModelSettings
    package let access: ModelAccess
    /// In the order of the API.
    package internal(set) var fields: [APIField] = []
    package internal(set) var indexes: [Index] = []
    /// The foreign keys that the model's lists put into other models.
    var keysOfLists: [APIField] = []

    package var name: String { model.name }
    /// The name as it occurs in the names of operations and inputs.
    package var title: String { Names.upperFirst(model.name) }
    package var key: [String] { model.primaryKey }
    package var connection: TypeReference { TypeReference("Model\(title)Connection") }

    /// The fields of the key with their types in arguments and inputs.
    ///
    /// A key that the author did not choose is an ID there, even if the field is declared as another scalar.
    package var keyFields: [(name: String, type: TypeReference)] {
        key.compactMap { name in
            guard let field = field(name) else { return nil }
            return (name, model.declaresKey ? field.type.nonNull : TypeReference("ID").nonNull)
        }
    }

    package func field(_ name: String) -> APIField? { fields.first { $0.name == name } }

    /// The names of fields that say to whom a record belongs.
    package var ownerFields: [String] { access.ownerFields }
}
