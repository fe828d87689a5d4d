import HoldfastSchema

/// Writes enums and embedded types.
enum TypeWriter {
    static func write(_ type: EnumType, to text: inout SwiftText) {
        text.documentation(type.description)
        text.block("public enum \(SwiftNames.enumType(type.name)): String, EnumPersistable") { text in
            let names = names(of: type.cases.map(\.name))
            for (entry, name) in zip(type.cases, names) {
                text.documentation(entry.description)
                let value = entry.name == name ? "" : " = \(quoted(entry.name))"
                text.line("case \(SwiftNames.identifier(name))\(value)")
            }
        }
    }

    /// The names of the cases in camel case, except where two would be the same or one would begin with a digit.
    ///
    /// If a case that keeps its name would collide with the camel-case name of another, all cases keep their names.
    private static func names(of cases: [String]) -> [String] {
        let camel = cases.map(Names.camelCase)
        var counts: [String: Int] = [:]
        for name in camel { counts[name, default: 0] += 1 }
        let names = zip(cases, camel).map { original, name in
            counts[name] == 1 && name.first?.isNumber == false ? name : original
        }
        return Set(names).count == names.count ? names : cases
    }

    static func write(_ type: EmbeddedType, to text: inout SwiftText) {
        text.documentation(type.description)
        text.block("public struct \(type.name): Embeddable") { text in
            for field in type.fields {
                text.documentation(field.description)
                text.line("public var \(field.identifier): \(field.type)")
            }
            text.line()
            let parameters = type.fields.map { field -> SwiftText.Group in
                .text("\(field.identifier): \(field.type)\(field.defaultValue)")
            }
            text.column("public init(", parameters, ") {")
            text.indented { text in
                for field in type.fields { text.line("self.\(field.identifier) = \(field.identifier)") }
            }
            text.line("}")
        }
    }

    static func writeSchema(_ type: EmbeddedType, to text: inout SwiftText) {
        let model = ModelType(name: type.name, location: type.location)
        text.block("extension \(type.name)") { text in
            SchemaWriter.codingKeys(type.fields, &text)
            text.line()
            text.block("public static let schema = defineSchema { model in") { text in
                text.line("let \(model.keysName) = \(type.name).keys")
                text.line()
                text.line("model.listPluralName = \(quoted(type.plural))")
                text.line("model.syncPluralName = \(quoted(type.plural))")
                text.line()
                let fields = type.fields.map {
                    SchemaWriter.definition($0, keys: model.keysName, isLazy: true)
                }
                text.column("model.fields(", fields, ")")
            }
        }
    }

    static func writeRegistration(_ graph: ModelGraph, to text: inout SwiftText) {
        text.line("/// All models of the schema.")
        text.block("final public class AmplifyModels: AmplifyModelRegistration") { text in
            text.line("/// Changes whenever stored records have to be looked at again.")
            text.line("public let version: String = \(quoted(VersionHash.version(of: graph)))")
            text.line()
            text.line("public init() {}")
            text.line()
            text.block("public func registerModels(registry: ModelRegistry.Type)") { text in
                for model in graph.models { text.line("ModelRegistry.register(modelType: \(model.name).self)") }
            }
        }
    }
}
