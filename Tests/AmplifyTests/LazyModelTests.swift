import Amplify
import Testing

extension AmplifySuite {
    @Suite struct LazyModelTests {
        @Test(arguments: FacadeAdapter.all) func relationsLoad(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let edition = try await Amplify.DataStore.save(Edition(isbn: "i", number: 2, title: "T"))
                for number in 1...3 {
                    try await Amplify.DataStore.save(Chapter(id: "c\(number)", heading: "\(number)", edition: edition))
                }
                // What save returns is the stored record, whose list loads.
                try await edition.chapters?.fetch()
                #expect(edition.chapters?.map(\.id) == ["c1", "c2", "c3"])
                let chapter = try #require(await Amplify.DataStore.query(Chapter.self, byIdentifier: "c2"))
                #expect(try await chapter.edition?.title == "T")
                let found = try await Amplify.DataStore.query(
                    Edition.self, byIdentifier: .identifier(isbn: "i", number: 2))
                #expect(found?.title == "T")
                try await Amplify.DataStore.delete(
                    Edition.self, withIdentifier: .identifier(isbn: "i", number: 2))
                #expect(try await Amplify.DataStore.query(Chapter.self).isEmpty)
            }
        }

        @Test(arguments: FacadeAdapter.all) func relationsOfEventsLoad(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let events = Amplify.DataStore.observe(Chapter.self)
                let edition = try await Amplify.DataStore.save(Edition(isbn: "i", number: 2, title: "T"))
                try await Amplify.DataStore.save(Chapter(heading: "One", edition: edition))
                for try await event in events {
                    // Read from JSON, so it loads through the registry.
                    let chapter = try #require(try event.decodeModel() as? Chapter)
                    #expect(try await chapter.edition?.title == "T")
                    break
                }
            }
        }
    }
}
