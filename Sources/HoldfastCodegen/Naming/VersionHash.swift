import HoldfastSchema

/// The version of a schema: 32 hexadecimal digits that change when stored data has to be looked at again.
enum VersionHash {
    /// 128-bit FNV-1a over the models by name with their fields, keys and indexes.
    ///
    /// Who may do what, enums, embedded types and descriptions are no part of it: they change nothing in a store.
    static func version(of graph: ModelGraph) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        func add(_ text: String) {
            for byte in text.utf8 {
                hash ^= UInt128(byte)
                hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
            }
            hash ^= 0xff
            hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
        for model in graph.models.sorted(by: { $0.name < $1.name }) {
            add(model.name)
            for line in Storage.lines(of: model) { add(line) }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}

/// What a store knows of a model.
enum Storage {
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
