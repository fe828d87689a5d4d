public import HoldfastStorage

extension ModelSchema {
    /// The steps of a field's name; a name with periods that is a field or column is one step.
    public func path(_ name: String) -> [String] {
        if field(withName: name) != nil || columns.contains(name) { return [name] }
        return name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// The place inside an embedded value to which a path leads, or `nil` if its first step is its only one or is not a
    /// field with embedded values.
    ///
    /// - Parameter steps: The field, then the names inside the embedded value.
    /// - Returns: The column, the names inside it, and the type of the last field; `nil` if the path leads into no
    ///   embedded value.
    /// - Throws: ``ModelError`` `.invalidSchema` if a step is not a field of the embedded type, or the type does not
    ///   say which fields it has.
    public func embeddedPath(_ steps: some Collection<String>) throws(ModelError) -> EmbeddedPath? {
        guard steps.count > 1, let name = steps.first, var field = field(withName: name), field.isEmbeddedType,
            let position = columns.firstIndex(of: name)
        else { return nil }
        var (members, leadsThroughList) = ([String](), false)
        for step in steps.dropFirst() {
            guard let type = field.type.fieldType, type.isEmbedded, let schema = field.embeddedTypeSchema,
                let next = schema.field(withName: step)
            else {
                throw ModelError(
                    .invalidSchema,
                    "'\(self.name).\(steps.joined(separator: "."))' is not a field; '\(step)' is not in the schema.")
            }
            if case .list = type { leadsThroughList = true }
            members.append(step)
            field = next
        }
        guard let type = field.type.fieldType else {
            throw ModelError(
                .invalidSchema, "'\(name).\(members.joined(separator: "."))' is a model inside an embedded value.")
        }
        return EmbeddedPath(position: position, members: members, type: type, leadsThroughList: leadsThroughList)
    }
}
