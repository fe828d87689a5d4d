import HoldfastGraphQL

/// The input `AMPLIFY`, with which the tools of AWS Amplify begin a schema: its fields are settings, not data.
enum AmplifySettings {
    private static let input = "AMPLIFY"
    private static let globalRule = "globalAuthRule"

    /// Takes the settings out of a document and puts the global rule on the models without rules.
    ///
    /// As rules on the models themselves, everything that reads rules finds them.
    static func apply(to document: inout GraphQLDocument, _ problems: inout Problems) {
        var settings: [InputValueDefinition] = []
        document.definitions.removeAll { definition in
            guard case .type(let type) = definition, type.kind == .inputObject, type.name.text == input else {
                return false
            }
            settings += type.inputFields
            return true
        }
        guard let setting = settings.first(where: { $0.name.text == globalRule }) else { return }
        guard let rule = setting.defaultValue, case .object = rule.content else {
            problems.add(
                "\"\(globalRule)\" has no rule as its value", at: setting.name.location,
                "Write \"\(globalRule): AuthRule = { allow: public }\".")
            return
        }
        put(rule, onModelsIn: &document)
    }

    private static func put(_ rule: GraphQLValue, onModelsIn document: inout GraphQLDocument) {
        var models: Set<String> = []
        var closed: Set<String> = []
        for definition in document.definitions {
            switch definition {
            case .type(let type), .typeExtension(let type):
                if type.directive(.model) != nil { models.insert(type.name.text) }
                // Rules on a field alone close the rest of the model, as the service has it.
                if (type.directives + type.fields.flatMap(\.directives)).first(.auth) != nil {
                    closed.insert(type.name.text)
                }
            default: break
            }
        }
        let rules = Argument(name: "rules", value: GraphQLValue(.list([rule]), location: rule.location))
        let directive = Directive(
            name: Name(DirectiveName.auth.rawValue), arguments: [rules], location: rule.location)
        let open = models.subtracting(closed)
        document.definitions = document.definitions.map { definition in
            guard case .type(var type) = definition, type.kind == .object, open.contains(type.name.text) else {
                return definition
            }
            type.directives.append(directive)
            return .type(type)
        }
    }
}
