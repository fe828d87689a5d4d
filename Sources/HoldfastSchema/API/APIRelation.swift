import HoldfastGraphQL

/// A relation as the records of two models show it: which columns agree.
package struct APIRelation: Sendable {
    /// The field that leads to the other model.
    package var field: String
    /// The other model.
    package var model: String
    /// Whether the field leads to many records.
    package var isList: Bool
    /// The columns of the model that has the field.
    package var own: [String]
    /// The columns of the other model that hold the same values, in the order of ``own``.
    package var other: [String]
    /// The fields by which the records of a list are sorted, where it goes through a key or an index with such fields.
    package var sortFields: [String]
    /// How many records of a list are read where a request does not say.
    package var limit: Int?
}

extension APIBuilder {
    /// The relations of a model, in the order of its fields.
    func relations(of model: APIModel) -> [APIRelation] {
        model.fields.compactMap { field in
            guard case .relation(let relation) = field.content, let other = self.model(relation.model) else {
                return nil
            }
            let written = schema.type(model.name)?.fields.first { $0.name.text == field.name }
            let directive = written?.directives.first { [.hasMany, .manyToMany, .connection].contains($0.known) }
            var result = APIRelation(
                field: field.name, model: other.name, isList: relation.kind == .hasMany, own: relation.targets,
                other: other.key, sortFields: [], limit: nil)
            if relation.kind == .hasMany || relation.targets.isEmpty {
                // Lists and `references` find the key of this model in the other one.
                result.own =
                    relation.kind == .hasMany ? directive?.strings("fields")?.map(\.text) ?? model.key : model.key
                let back = relation.associated.first.flatMap { other.model.field($0)?.relation }
                result.other = back.map(\.targets) ?? relation.associated
                result.sortFields = sortFields(of: field, in: model, to: other).fields
                if case .int(let digits)? = directive?.argument("limit")?.content { result.limit = Int(digits) }
            }
            return result
        }
    }
}
