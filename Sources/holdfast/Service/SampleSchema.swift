#if CLI && Server
import HoldfastServer
import HoldfastWire

/// A schema to begin with, and records for it.
enum SampleSchema {
    static let text = """
        # A schema to begin with. `holdfast dev` serves it, and what you add to it.
        # Everyone with the key of the application, or signed in, may do everything: change the rules before others
        # use it.
        type Todo @model @auth(rules: [{ allow: public }, { allow: private }]) {
          title: String!
          isDone: Boolean!
          priority: Int
          notes: String
        }

        """

    /// Saves 20 records, as a client would.
    ///
    /// - Throws: ``Failure`` if the service refuses one.
    static func seed(_ server: SyncServer, key: String) async throws {
        for number in 1...20 {
            let input: WireValue = [
                "title": .string("Task \(number)"), "isDone": .boolean(number % 3 == 0),
                "priority": .integer(Int64(number % 5)),
            ]
            let body: WireValue = [
                "query": "mutation Seed($input: CreateTodoInput!) { createTodo(input: $input) { id } }",
                "variables": ["input": input],
            ]
            let response = await server.respond(to: ServerRequest(headers: ["x-api-key": key], body: body.bytes))
            let answer = try WireValue(parsing: response.body)
            if let error = answer["errors"]?[0] { throw Failure(error["message"]?.string ?? "") }
        }
    }

    /// The service does not take the records.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ message: String) { description = "The records of the sample cannot be stored: \(message)" }
    }
}
#endif
