#if CLI && Server
import ArgumentParser
import HoldfastServer
import HoldfastWire

/// `holdfast data put`.
struct PutRecords: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Creates records of a service, or changes fields of stored ones.",
        discussion: """
            Each JSON object has the key and the fields that get a value; null removes one, and other fields stay. \
            Without "id", a model whose key the schema does not choose gets a new one. With "_version", the stored \
            record must have that version; 0 means that there must be none. The record is printed with its new version.

            \(DataCommand.rights) Other users of the machine can see the arguments of a program while it runs; for \
            values that they must not see, use 'holdfast data import -'.

            \(StoreAddress.forms)

            Examples:
              holdfast data put Post '{"title": "Hello"}' --schema schema.graphql
              holdfast data put Post '{"id": "1", "rating": 5}' '{"id": "2", "rating": null}'

            Exit codes: 0 written, 1 a record was refused (those before it are written), one that was written cannot \
            be printed, or the schema or the store cannot be used, 64 wrong usage, 69 this build lacks an adapter.
            """)

    @ArgumentParser.Argument(help: "The model.")
    var model: String

    @ArgumentParser.Argument(help: "The records, as JSON objects.")
    var json: [String]

    @OptionGroup var options: RecordOptions

    func run() async throws {
        let records = try json.enumerated().map { index, text in
            let value: WireValue
            do {
                value = try WireValue(parsing: Array(text.utf8))
            } catch {
                throw ValidationError("Record \(index + 1) is not JSON: \(error).")
            }
            guard let record = value.object else { throw ValidationError("Record \(index + 1) is not a JSON object.") }
            return record
        }
        try await options.withData { data in
            for record in records { try Output.result(WireValue.object(try await data.put(record, in: model)).text) }
        }
    }
}
#endif
