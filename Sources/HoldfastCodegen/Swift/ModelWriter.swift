import HoldfastSchema

/// Writes the struct of a model.
struct ModelWriter {
    let model: ModelType
    let isLazy: Bool
    /// In the order of properties and initializers, where `id` is always first; stores keep the order of the schema.
    private let fields: [ModelTypeField]
    private let held: HeldKeys

    init(model: ModelType, isLazy: Bool, in graph: ModelGraph) {
        self.model = model
        self.isLazy = isLazy
        held = HeldKeys(of: model, in: graph)
        fields = model.fields.filter { $0.name == "id" } + model.fields.filter { $0.name != "id" }
    }

    func write(to text: inout SwiftText) {
        text.documentation(model.description)
        text.block("public struct \(model.name): Model") { text in
            for field in fields { property(field, &text) }
            initializers(&text)
            if isLazy {
                for field in fields where field.isReference(true) { setter(field, &text) }
                decoding(&text)
                encoding(&text)
            }
        }
    }

    private func property(_ field: ModelTypeField, _ text: inout SwiftText) {
        guard field.isReference(isLazy) else {
            text.documentation(field.description)
            let keyword = model.primaryKey.contains(field.name) ? "let" : "var"
            let declaration = "public \(keyword) \(field.identifier): \(field.type)"
            let assignments = held.assignments(after: field)
            if assignments.isEmpty {
                text.line(declaration)
            } else {
                text.block(declaration) { text in
                    text.block("didSet") { text in for line in assignments { text.line(line) } }
                }
            }
            return
        }
        text.line("internal var \(field.storage(isLazy)): \(field.storedType(isLazy))")
        text.documentation(field.description)
        text.block("public var \(field.identifier): \(field.type)") { text in
            text.block("get async throws") { text in
                text.line("try await \(field.storage(isLazy)).\(field.isRequired ? "require" : "get")()")
            }
        }
    }

    // MARK: - Initializers

    private func parameter(_ field: ModelTypeField) -> SwiftText.Group {
        .text("\(field.identifier): \(field.type)\(field.defaultOfModel)")
    }

    private func initializers(_ text: inout SwiftText) {
        let own = fields.filter { !$0.isReadOnly }
        guard own.count < fields.count else {
            initializer("public", &text)
            return
        }
        text.line()
        text.column("public init(", own.map(parameter), ") {")
        text.indented { text in
            let arguments = fields.map { field -> SwiftText.Group in
                .text("\(field.label): \(field.isReadOnly ? "nil" : field.identifier)")
            }
            text.column("self.init(", arguments, ")")
        }
        text.line("}")
        initializer("internal", &text)
    }

    private func initializer(_ access: String, _ text: inout SwiftText) {
        text.line()
        text.column("\(access) init(", fields.map(parameter), ") {")
        text.indented { text in
            for field in fields {
                let value = field.isReference(isLazy) ? "LazyReference(\(field.identifier))" : field.identifier
                text.line("self.\(field.storage(isLazy)) = \(value)\(held.alternative(to: field))")
            }
        }
        text.line("}")
    }

    private func setter(_ field: ModelTypeField, _ text: inout SwiftText) {
        text.line()
        let value = field.isRequired ? "" : " = nil"
        let name = "set" + Names.upperFirst(field.name)
        text.block("public mutating func \(name)(_ \(field.identifier): \(field.type)\(value))") { text in
            text.line("self.\(field.storage(isLazy)) = LazyReference(\(field.identifier))")
            for line in held.assignments(after: field) { text.line(line) }
        }
    }

    // MARK: - Coding

    private func decoding(_ text: inout SwiftText) {
        text.line()
        text.block("public init(from decoder: any Decoder) throws") { text in
            text.line("let values = try decoder.container(keyedBy: CodingKeys.self)")
            for field in model.fields {
                let key = "forKey: .\(field.identifier)"
                let target = "self.\(field.storage(isLazy)) ="
                switch field.relation?.kind {
                case nil where field.isRequired:
                    text.line("\(target) try values.decode(\(field.type).self, \(key))")
                case nil: text.line("\(target) try? values.decode(\(field.type).self, \(key))")
                case .hasMany: decode(target, field.requiredType, key, ".init()", &text)
                case .belongsTo, .hasOne:
                    decode(target, field.storedType(isLazy), key, "LazyReference(nil)", &text)
                }
            }
        }
    }

    private func decode(_ target: String, _ type: String, _ key: String, _ other: String, _ text: inout SwiftText) {
        let value = "try values.decodeIfPresent(\(type).self, \(key))"
        let line = "\(target) \(value) ?? \(other)"
        guard line.count + 8 > SwiftText.lineLength else {
            text.line(line)
            return
        }
        text.line(target)
        text.indented { text in
            text.line(value)
            text.line("?? \(other)")
        }
    }

    private func encoding(_ text: inout SwiftText) {
        text.line()
        text.block("public func encode(to encoder: any Encoder) throws") { text in
            text.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for field in model.fields {
                text.line("try container.encode(self.\(field.storage(isLazy)), forKey: .\(field.identifier))")
            }
        }
    }
}
