extension Scenario {
    /// What of a scenario does not fit a schema; `nil` if it can be run.
    ///
    /// - Parameter schema: The schema of the records.
    /// - Returns: The first thing that is wrong, in words.
    public func problem(in schema: SimulatedSchema) -> String? {
        if clients.isEmpty || servers < 1 { return "a scenario needs a client and a process of the service" }
        for model in (strategies ?? [:]).keys.sorted() where schema.model(model) == nil {
            return "the schema has no model '\(model)'"
        }
        for (number, client) in clients.enumerated() {
            if let user = client.user, user < 0 { return "client \(number) names user \(user), and the first one is 0" }
        }
        for step in steps {
            if let client = step.action.client, !clients.indices.contains(client) {
                return "step \(step.id) names client \(client), and there are \(clients.count)"
            }
            if let server = step.action.server, server < 0 {
                return "step \(step.id) names process \(server) of the service, and the first one is 0"
            }
            switch step.action {
            case .save(_, let name, _, let fields, _), .empty(_, let name, _, let fields),
                .react(_, let name, _, let fields), .saveIf(_, let name, _, let fields):
                guard let model = schema.model(name) else { return "the schema has no model '\(name)'" }
                for field in fields where model.field(field) == nil {
                    return "'\(name)' has no field '\(field)' that edits can change"
                }
            case .delete(_, let name, _), .deleteIf(_, let name, _), .move(_, let name, _, _):
                if schema.model(name) == nil { return "the schema has no model '\(name)'" }
            case .user(_, let user):
                if user < 0 { return "step \(step.id) names user \(user), and the first one is 0" }
            default: continue
            }
        }
        return nil
    }
}
