#if CLI && Server
import ArgumentParser
import HoldfastEngine
import HoldfastServer
import HoldfastStorage

/// `holdfast renew`.
struct RenewVersions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Lets devices follow a store that was restored from a backup.",
        discussion: """
            A restored store gives out versions for a second time, and devices that have them ignore the later changes. \
            This gives every record a version above all that devices may have, and makes every device read everything at \
            its next synchronization. Run it once after a restore, before the service is started again. When a replica of \
            a PostgreSQL server becomes the primary, `holdfast serve` does it by itself.

            \(StoreAddress.forms)

            Examples:
              holdfast renew --schema schema.graphql
              holdfast renew --schema schema.graphql --store 'postgresql://localhost/app'

            Exit codes: 0 renewed, 1 the schema or the store cannot be used (what was renewed before stays so; run it \
            again), 64 wrong usage, 69 this build lacks an adapter.
            """)

    @Option(help: "The schema: a file, or a directory with .graphql files; schema.graphql by default. Can be repeated.")
    var schema: [String] = []

    @OptionGroup var files: DataOptions

    @Flag(help: "Prints the number of records as JSON.")
    var json = false

    func run() async throws {
        let sources = try SchemaFiles.sources(at: schema.isEmpty ? ["schema.graphql"] : schema)
        guard let address = try files.storeAddress() else {
            throw ValidationError("A store in memory is gone with its process; name another one.")
        }
        try await CommandFailure.reported(asJSON: json) {
            // The advice is not to start a service first: devices must not reach the store before it is renewed.
            try await address.requireServed(
                with: sources, advice: "Name the schema with which it was served last.")
            let timeline = StoreTimeline()
            let server = try await SyncServer.open(
                schema: sources, options: ServerOptions(), surroundings: .system,
                makeAdapter: timeline.noting { try address.makeServiceAdapter() })
            do {
                let count = try await server.renewVersions()
                if let name = timeline.name { try await server.follow(timeline: name, renewsVersions: false) }
                try await server.close()
                if json { try Output.json(["records": count]) } else { try Output.result("Renewed \(count) records.") }
            } catch {
                try? await server.close()
                throw error
            }
        }
    }
}
#endif
