import AWSDataStorePlugin
import Amplify
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastTestSupport
import Testing

/// A version of the application that knows another state of a ticket.
private enum Newer {
    struct Ticket: Model {
        enum State: String, EnumPersistable { case open, archived }

        let id: String
        var state: State

        enum CodingKeys: String, ModelKey { case id, state }
        static let keys = CodingKeys.self
        static let schema = defineSchema { model in
            model.fields(.id(), .field(keys.state, is: .required, ofType: .enum(type: State.self)))
        }
    }
}

private struct Ticket: Model {
    enum State: String, EnumPersistable { case open }

    let id: String
    var state: State

    enum CodingKeys: String, ModelKey { case id, state }
    static let keys = CodingKeys.self
    static let schema = defineSchema { model in
        model.fields(.id(), .field(keys.state, is: .required, ofType: .enum(type: State.self)))
    }
}

private final class Tickets: AmplifyModelRegistration {
    let version = "1"

    func registerModels(registry: ModelRegistry.Type) { ModelRegistry.register(modelType: Ticket.self) }
}

extension AmplifySuite {
    @Suite struct UnreadableRecordTests {
        private let directory = TemporaryDirectory()

        @Test(arguments: FacadeAdapter.lasting)
        func oneRecordThatCannotBeReadDoesNotMakeAQueryFail(adapter: FacadeAdapter) async throws {
            let path = directory.file()
            func open() async throws -> DataStore {
                try await DataStore.open(adapter.make(at: path), models: [Newer.Ticket.self])
            }
            let newer = try await open()
            try await newer.save([
                Newer.Ticket(id: "a", state: .open), Newer.Ticket(id: "b", state: .archived),
                Newer.Ticket(id: "c", state: .open),
            ])
            try await newer.close()
            let errors = EventLog<String>()
            let configuration = DataStoreConfiguration.custom(
                errorHandler: { error in
                    guard case .decodingError? = error as? DataStoreError else { return errors.add("\(error)") }
                    errors.add("decoding")
                },
                storageAdapter: adapter.make(at: path))
            try Amplify.add(plugin: AWSDataStorePlugin(modelRegistration: Tickets(), configuration: configuration))
            try Amplify.configure()
            try await resetting {
                #expect(try await Amplify.DataStore.query(Ticket.self).map(\.id) == ["a", "c"])
                #expect(errors.events == ["decoding"])
                let page = try await Amplify.DataStore.query(Ticket.self, paginate: .page(0, limit: 2))
                #expect(page.map(\.id) == ["a", "c"])
                await #expect {
                    try await Amplify.DataStore.query(Ticket.self, byId: "b")
                } throws: { error in
                    if case .decodingError? = error as? DataStoreError { true } else { false }
                }
            }
            let again = try await open()
            #expect(try await again.query(Newer.Ticket.self).map(\.id) == ["a", "b", "c"])
            try await again.close()
        }
    }
}
