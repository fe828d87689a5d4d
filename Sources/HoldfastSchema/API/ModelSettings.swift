import HoldfastGraphQL

/// The operations that a model has, as `@model` names them.
package struct ModelSettings: Sendable {
    /// One operation with its name in the API; `nil` if the model does not have it.
    package enum Operation: String, CaseIterable, Sendable {
        case get, list, sync
        case create, update, delete
    }

    /// The names by operation; an operation without a name does not exist.
    package private(set) var names: [Operation: String] = [:]
    /// The names of subscriptions by the mutation that they follow.
    package private(set) var subscriptions: [(mutation: Operation, names: [String])] = []

    init(_ model: ModelType, directive: Directive?) {
        let name = Names.upperFirst(model.name)
        let defaults: [Operation: String] = [
            .get: "get" + name, .list: "list" + model.plural, .sync: "sync" + model.plural,
            .create: "create" + name, .update: "update" + name, .delete: "delete" + name,
        ]
        read(directive?.argument("queries"), [.get, .list, .sync], defaults)
        read(directive?.argument("mutations"), [.create, .update, .delete], defaults)
        readSubscriptions(directive?.argument("subscriptions"), name)
    }

    private mutating func read(_ value: GraphQLValue?, _ operations: [Operation], _ defaults: [Operation: String]) {
        for operation in operations {
            switch value?.content {
            case nil: names[operation] = defaults[operation]
            case .object(let entries):
                // An operation that is not named keeps its name; `null` takes it away.
                let entry = entries.first { $0.name.text == operation.rawValue }
                if let name = entry.map({ $0.value.string }) ?? defaults[operation] { names[operation] = name }
            default: break
            }
        }
    }

    private mutating func readSubscriptions(_ value: GraphQLValue?, _ name: String) {
        let mutations: [(Operation, String)] = [(.create, "onCreate"), (.update, "onUpdate"), (.delete, "onDelete")]
        var entries: [ObjectField] = []
        switch value?.content {
        case nil: break
        case .object(let fields): entries = fields
        default: return
        }
        if entries.first(where: { $0.name.text == "level" })?.value.string == "off" { return }
        for (mutation, key) in mutations where names[mutation] != nil {
            let entry = entries.first { $0.name.text == key }
            let names = entry.map { $0.value.strings ?? [] } ?? [Names.subscription(key + name)]
            if !names.isEmpty { subscriptions.append((mutation, names)) }
        }
    }
}

extension Names {
    /// The name of a subscription; a name of more than 50 characters is cut and gets a part of its MD5 digest.
    static func subscription(_ name: String) -> String {
        guard name.utf8.count > 50 else { return name }
        return String(name.prefix(45)) + String(MD5.hexadecimalDigest(of: Array(name.utf8)).prefix(5))
    }
}
