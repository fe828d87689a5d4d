/// Which names the service keeps for itself.
enum ServiceNames {
    private static let fields: Set<String> = ["_version", "_deleted", "_lastChangedAt", "_ttl", "__typename"]

    /// What is wrong with the name of a model; `nil` if nothing is.
    static func problem(ofModel name: String) -> (message: String, hint: String)? {
        guard ["Query", "Mutation", "Subscription"].contains(name) else { return nil }
        return ("\"\(name)\" is a reserved word: it is the root type of operations", "Give the model another name.")
    }

    /// What is wrong with the name of a model's field; `nil` if nothing is.
    static func problem(ofField name: String) -> (message: String, hint: String)? {
        guard fields.contains(name) else { return nil }
        return ("\"\(name)\" is a reserved word: the service has a field of this name", "Rename the field.")
    }
}
