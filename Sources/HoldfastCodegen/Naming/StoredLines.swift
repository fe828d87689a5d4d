import HoldfastSchema

/// What a store knows of a model.
enum StoredLines {
    /// One line per key, index and field; the order of fields is part of it.
    static func lines(of model: ModelType) -> [String] {
        ["key " + model.primaryKey.joined(separator: " ")]
            + model.indexes.map { "index \($0.name) " + $0.fields.joined(separator: " ") }
            + model.fields.compactMap(line(of:))
    }

    private static func line(of field: ModelTypeField) -> String? {
        let nullability = field.isRequired ? "!" : ""
        switch field.content {
        case .value:
            let element = field.scalar + (field.isList && field.elementsAreRequired ? "!" : "")
            return "\(field.name): " + (field.isList ? "[\(element)]" : element) + nullability
        case .relation(let relation):
            let target = relation.model + " " + relation.targets.joined(separator: " ")
            return switch relation.kind {
            case .belongsTo: "\(field.name): belongsTo \(target)" + nullability
            case .hasOne: "\(field.name): hasOne \(target)" + nullability
            case .hasMany: "\(field.name): hasMany \(relation.model) " + relation.associated.joined(separator: " ")
            }
        }
    }
}
