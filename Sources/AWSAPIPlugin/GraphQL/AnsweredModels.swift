import AWSPluginsCore
import Amplify
import HoldfastModel

/// Puts what is needed to load relations into the JSON of models that a service answered.
///
/// A list that is not there, and a related record of which only the key is there, become the forms of relations that
/// were not loaded. A list that is there learns which record has it, so that it can load its next page.
enum AnsweredModels {
    /// JSON that is read as a type, with the relations of its models completed; other types stay as they are.
    static func completed(_ value: Any, as type: Any.Type) -> Any {
        guard let model = modelType(in: type) else { return value }
        return completed(value, model is AnyModel.Type ? nil : model)
    }

    /// The model inside a type; `nil` if there is none.
    private static func modelType(in type: Any.Type) -> (any Model.Type)? {
        if let model = type as? any Model.Type { return model }
        return (type as? any ModelContainer.Type).flatMap { modelType(in: $0.contentType) }
    }

    private static func completed(_ value: Any, _ type: (any Model.Type)?) -> Any {
        if let values = value as? [Any] { return values.map { completed($0, type) } }
        guard var object = value as? [String: Any] else { return value }
        let named = (object["__typename"] as? String).flatMap(ModelRegistry.modelType(from:))
        let model = type ?? named
        let key = model?.schema.primaryKeyNames.compactMap { object[$0] } ?? []
        let hasKey = model.map { key.count == $0.schema.primaryKeyNames.count } ?? false
        // A model may have a field of this name too, but a page has no key.
        if !hasKey, let items = object["items"] {
            object["items"] = completed(items, type)
            return object
        }
        guard let model else { return object }
        for field in model.schema.orderedFields {
            let related = field.associatedModel
            switch field.association {
            case .hasMany:
                if hasKey { object[field.name] = list(object[field.name], field, of: model.schema.name, key, related) }
            case .hasOne, .belongsTo:
                guard let inner = object[field.name] as? [String: Any], let related else { continue }
                object[field.name] =
                    !model.isEager && isKey(inner, of: related.schema)
                    ? reference(inner, related.schema) : completed(inner, related)
            case nil: continue
            }
        }
        return object
    }

    /// The form of a list of the record of a model with a key.
    private static func list(
        _ value: Any?, _ field: ModelField, of parent: ModelName, _ key: [Any], _ element: (any Model.Type)?
    ) -> Any {
        // An array is a list that is complete.
        if let elements = value as? [Any] { return completed(elements, element) }
        var list = value as? [String: Any] ?? [:]
        if let items = list["items"] { list["items"] = completed(items, element) }
        list["dataStoreAssociatedIdentifiers"] = key
        list["dataStoreAssociatedFields"] = field.associatedFieldNames
        list["dataStoreParentModel"] = parent
        list["dataStoreParentField"] = field.name
        return list
    }

    /// Whether only the key of a record is there.
    private static func isKey(_ object: [String: Any], of schema: ModelSchema) -> Bool {
        let names = Set(schema.primaryKeyNames)
        return names.isSubset(of: object.keys) && names.union(["__typename", "_deleted"]).isSuperset(of: object.keys)
    }

    private static func reference(_ object: [String: Any], _ schema: ModelSchema) -> Any {
        [
            "identifiers": schema.primaryKeyNames.map { ["name": $0, "value": object[$0] ?? ""] },
            "source": "DataStore",
        ] as [String: Any]
    }
}

/// A type that holds models.
private protocol ModelContainer {
    static var contentType: Any.Type { get }
}

extension Optional: ModelContainer { static var contentType: Any.Type { Wrapped.self } }
extension Array: ModelContainer { static var contentType: Any.Type { Element.self } }
extension List: ModelContainer { static var contentType: Any.Type { Element.self } }
extension MutationSync: ModelContainer { static var contentType: Any.Type { ModelType.self } }
extension PaginatedList: ModelContainer { static var contentType: Any.Type { ModelType.self } }
extension RelatedPage: ModelContainer { static var contentType: Any.Type { Element.self } }
