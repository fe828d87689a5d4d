import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage

extension ServerSchema {
    /// Why clients of an earlier schema, or what is stored, cannot continue with this one; empty if they can.
    ///
    /// Rules of `@auth` are not compared: they say who may do something, not what there is.
    func problems(after earlier: ServerSchema) -> [SchemaProblem] {
        var messages: [String] = []
        for old in earlier.api.types {
            guard let new = api.type(old.name), new.kind == old.kind else {
                messages.append("the type \(old.name) is gone")
                continue
            }
            for field in old.fields { messages += problems(of: field, in: new) }
            messages += problems(ofInputs: old.inputFields, new.inputFields, "\(old.name).")
            let missing = old.definition.values.map(\.name.text).filter { !new.hasValue($0) }
            messages += missing.map { "the value \(old.name).\($0) is gone" }
        }
        let stored = SchemaChange(from: earlier.storage, to: storage).differences.filter { !$0.isAdditive }
        let hint = "Records are stored in another form: give it another name, or use another store."
        return messages.map { SchemaProblem(message: $0) }
            + stored.map { SchemaProblem(message: $0.description, hint: hint) }
    }

    private func problems(of old: FieldDefinition, in type: SchemaType) -> [String] {
        let path = "\(type.name).\(old.name.text)"
        guard let new = type.field(old.name.text) else { return ["the field \(path) is gone"] }
        let change =
            api.isSubtype(new.type, of: old.type)
            ? [] : ["the type of \(path) is \(new.type), was \(old.type)"]
        return change + problems(ofInputs: old.arguments, new.arguments, "the argument ", of: path)
    }

    /// What clients that give the old inputs do wrong with the new ones.
    private func problems(
        ofInputs old: [InputValueDefinition], _ new: [InputValueDefinition], _ prefix: String, of path: String = ""
    ) -> [String] {
        let suffix = path.isEmpty ? "" : " of \(path)"
        let olds = Dictionary(old.map { ($0.name.text, $0) }) { first, _ in first }
        let news = Set(new.map(\.name.text))
        var messages = old.map(\.name.text).filter { !news.contains($0) }.map { "\(prefix)\($0)\(suffix) is gone" }
        for input in new {
            let name = "\(prefix)\(input.name.text)\(suffix)"
            if let old = olds[input.name.text] {
                if !api.isSubtype(old.type, of: input.type) {
                    messages.append("the type of \(name) is \(input.type), was \(old.type)")
                }
            } else if input.isRequired {
                messages.append("\(name) is new and required")
            }
        }
        return messages
    }
}
