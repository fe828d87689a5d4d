import HoldfastSchema

/// Writes keys, schema, identifier and paths of a model.
struct SchemaWriter {
    let model: ModelType
    /// The models that hold references and have paths.
    let lazyModels: Set<String>
    private var isLazy: Bool { lazyModels.contains(model.name) }
    private var keys: String { model.keysName }

    init(model: ModelType, lazyModels: Set<String>) {
        self.model = model
        self.lazyModels = lazyModels
    }

    func write(to text: inout SwiftText) {
        text.block("extension \(model.name)") { text in
            Self.codingKeys(model.fields, &text)
            text.line()
            text.block("public static let schema = defineSchema { model in") { text in
                text.line("let \(keys) = \(model.name).keys")
                rules(&text)
                text.line()
                text.line("model.listPluralName = \(quoted(model.plural))")
                text.line("model.syncPluralName = \(quoted(model.plural))")
                attributes(&text)
                text.line()
                text.column("model.fields(", model.fields.map(definition), ")")
            }
            if isLazy {
                text.line()
                text.line("public class Path: ModelPath<\(model.name)> {}")
                text.line()
                text.line("public static var rootPath: (any PropertyContainerPath)? { Path() }")
            }
        }
        identifier(&text)
        if isLazy { paths(&text) }
    }

    static func codingKeys(_ fields: [ModelTypeField], _ text: inout SwiftText) {
        text.block("public enum CodingKeys: String, ModelKey") { text in
            for field in fields { text.line("case \(field.identifier)") }
        }
        text.line()
        text.line("public static let keys = CodingKeys.self")
    }

    // MARK: - Rules, keys and indexes

    private func rules(_ text: inout SwiftText) {
        guard !model.rules.isEmpty else { return }
        text.line()
        text.column("model.authRules = [", model.rules.map(Self.group(of:)), "]", isArray: model.rules.count > 1)
    }

    private static func group(of rule: ModelRule) -> SwiftText.Group {
        var items: [SwiftText.Group] = [.text("allow: .\(rule.allow)")]
        func add(_ name: String, _ value: String?) {
            if let value { items.append(.text("\(name): \(quoted(value))")) }
        }
        add("ownerField", rule.ownerField)
        add("identityClaim", rule.identityClaim)
        add("groupClaim", rule.groupClaim)
        if !rule.groups.isEmpty { items.append(array("groups", rule.groups.map(quoted))) }
        add("groupsField", rule.groupsField)
        items.append(.text("provider: .\(rule.provider)"))
        items.append(array("operations", rule.operations.map { "." + $0 }))
        return .list("rule(", items, ")")
    }

    private static func array(_ label: String, _ items: [String]) -> SwiftText.Group {
        .list("\(label): [", items.map { .text($0) }, "]", isArray: items.count > 1)
    }

    private func attributes(_ text: inout SwiftText) {
        var items: [SwiftText.Group] = []
        if model.declaresKey {
            items.append(
                .list(".index(", [Self.array("fields", model.primaryKey.map(quoted)), .text("name: nil")], ")"))
        }
        for index in model.indexes {
            let fields = Self.array("fields", index.fields.map(quoted))
            items.append(.list(".index(", [fields, .text("name: \(quoted(index.name))")], ")"))
        }
        items.append(
            .list(
                ".primaryKey(",
                [Self.array("fields", model.primaryKey.map { "\(keys).\(SwiftNames.identifier($0))" })], ")"))
        text.line()
        text.column("model.attributes(", items, ")")
    }

    // MARK: - Fields

    private func definition(_ field: ModelTypeField) -> SwiftText.Group {
        Self.definition(field, keys: keys, isLazy: isLazy)
    }

    static func definition(_ field: ModelTypeField, keys: String, isLazy: Bool) -> SwiftText.Group {
        var items: [SwiftText.Group] = [
            .text("\(keys).\(field.identifier)"), .text("is: .\(field.isRequired ? "required" : "optional")"),
        ]
        if field.isReadOnly { items.append(.text("isReadOnly: true")) }
        guard let relation = field.relation else {
            items.append(.text("ofType: \(field.schemaType)"))
            if !field.rules.isEmpty {
                items.append(
                    .list("authRules: [", field.rules.map(group(of:)), "]", isArray: field.rules.count > 1))
            }
            return .list(".field(", items, ")")
        }
        items.append(.text("ofType: \(relation.model).self"))
        let associated = relation.associated.map { "\(relation.model).keys.\(SwiftNames.identifier($0))" }
        let usesOldForm = !isLazy && associated.count == 1
        let back: SwiftText.Group =
            usesOldForm ? .text("associatedWith: \(associated[0])") : array("associatedFields", associated)
        let targets = array("targetNames", relation.targets.map(quoted))
        let head: String
        switch relation.kind {
        case .belongsTo:
            head = ".belongsTo("
            items.append(targets)
        case .hasOne:
            head = ".hasOne("
            items.append(back)
            if !relation.targets.isEmpty { items.append(targets) }
        case .hasMany:
            head = ".hasMany("
            items.append(back)
        }
        return .list(head, items, ")")
    }

    // MARK: - Identifier and paths

    private func identifier(_ text: inout SwiftText) {
        let name = model.name
        let isDefault = model.primaryKey == ["id"]
        text.line()
        text.block("extension \(name): ModelIdentifiable") { text in
            text.line(
                "public typealias IdentifierFormat = ModelIdentifierFormat.\(isDefault ? "Default" : "Custom")")
            text.line(
                isDefault
                    ? "public typealias IdentifierProtocol = DefaultModelIdentifier<Self>"
                    : "public typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>")
        }
        guard !isDefault else { return }
        let key = model.primaryKey.compactMap(model.field)
        text.line()
        text.block("extension \(name).IdentifierProtocol") { text in
            let parameters = key.map { SwiftText.Group.text("\($0.identifier): \($0.requiredType)") }
            text.group(.list("public static func identifier(", parameters, ") -> Self"), suffix: " {")
            text.indented { text in
                let values = key.map { field -> SwiftText.Group in
                    var value = field.identifier
                    if case .enumeration? = field.value { value += ".rawValue" }
                    return .text("(name: \(quoted(field.name)), value: \(value))")
                }
                text.group(.list(".make(", [.list("fields: [", values, "]", isArray: values.count > 1)], ")"))
            }
            text.line("}")
        }
    }

    private func paths(_ text: inout SwiftText) {
        text.line()
        text.block("extension ModelPath where ModelType == \(model.name)") { text in
            for field in model.fields {
                if let relation = field.relation {
                    guard lazyModels.contains(relation.model) else { continue }
                    let many = relation.kind == .hasMany ? "isCollection: true, " : ""
                    path(field, "ModelPath<\(relation.model)>", "\(relation.model).Path", many + "parent: self", &text)
                } else if !field.isList, let kind = field.value, let maker = kind.pathMaker {
                    text.block("public var \(field.identifier): FieldPath<\(kind.swiftType)>") { text in
                        text.line("\(maker)(\(quoted(field.name)))")
                    }
                }
            }
        }
    }

    private func path(
        _ field: ModelTypeField, _ type: String, _ maker: String, _ arguments: String, _ text: inout SwiftText
    ) {
        text.block("public var \(field.identifier): \(type)") { text in
            text.line("\(maker)(name: \(quoted(field.name)), \(arguments))")
        }
    }
}
