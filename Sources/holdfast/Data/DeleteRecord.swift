#if CLI && Server
import ArgumentParser
import HoldfastServer
import HoldfastWire

/// `holdfast data delete`.
struct DeleteRecord: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes a record of a service.",
        discussion: """
            The key is one argument for each of its fields, in the order of the schema. The record becomes a tombstone, \
            from which clients learn of the deletion; it is printed with its version.

            \(DataCommand.rights)

            \(StoreAddress.forms)

            Examples:
              holdfast data delete Post 1 --schema schema.graphql
              holdfast data delete Booking room-7 2026-03-01
              holdfast data delete Reading sensor-1 -- -5

            Exit codes: 0 deleted, 1 there is no such record, the deleted one cannot be printed, or the schema or the \
            store cannot be used, 64 wrong usage, 69 this build lacks an adapter.
            """)

    @ArgumentParser.Argument(help: "The model.")
    var model: String

    @ArgumentParser.Argument(help: "The values of the key's fields.")
    var key: [String]

    @OptionGroup var options: RecordOptions

    func run() async throws {
        try await options.withData { data in
            let names = try data.key(of: model)
            guard names.count == key.count else {
                let list = names.joined(separator: ", ")
                throw ValidationError("The key of \(model) has \(names.count) fields: \(list).")
            }
            var object = JSONObject()
            for (name, value) in zip(names, key) { object[name] = .string(value) }
            try Output.result(WireValue.object(try await data.delete(object, from: model)).text)
        }
    }
}
#endif
