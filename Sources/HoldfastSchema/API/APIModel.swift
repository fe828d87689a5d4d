import HoldfastGraphQL

/// A model as the API shows it.
struct APIModel {
    /// An index that may have a query.
    struct Index {
        var name: String
        var fields: [String]
        /// The query's name; `nil` if it has none.
        var query: String?
    }

    let model: ModelType
    let settings: ModelSettings
    let access: ModelAccess
    /// In the order of the API.
    var fields: [APIField] = []
    var indexes: [Index] = []
    /// The foreign keys that the model's lists put into other models.
    var keysOfLists: [APIField] = []

    var name: String { model.name }
    /// The name as it occurs in the names of operations and inputs.
    var title: String { Names.upperFirst(model.name) }
    var key: [String] { model.primaryKey }
    var connection: TypeReference { TypeReference("Model\(title)Connection") }

    /// The fields of the key with their types in arguments and inputs.
    ///
    /// A key that the author did not choose is an ID there, even if the field is declared as another scalar.
    var keyFields: [(name: String, type: TypeReference)] {
        key.compactMap { name in
            guard let field = field(name) else { return nil }
            return (name, model.declaresKey ? field.type.nonNull : TypeReference("ID").nonNull)
        }
    }

    func field(_ name: String) -> APIField? { fields.first { $0.name == name } }

    /// The names of fields that say to whom a record belongs.
    var ownerFields: [String] { access.ownerFields }
}
