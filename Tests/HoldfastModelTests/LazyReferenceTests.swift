import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

private struct Appliance: Model {
    struct Part: Embeddable {
        var name: String
        var value: String
    }

    enum CodingKeys: String, ModelKey { case id, identifiers }

    let id: String
    var identifiers: [Part]

    static let schema = defineSchema { model in
        model.fields(
            .id(), .field(CodingKeys.identifiers, is: .required, ofType: .embeddedCollection(of: Part.self)))
    }
}

@Suite struct LazyReferenceTests {
    let blog = Blog(id: "b", name: "B")

    @Test func aModelAtHandNeedsNoStore() async throws {
        let reference = LazyReference(blog)
        #expect(try await reference.get()?.id == "b")
        #expect(try await reference.require().id == "b")
        #expect(try reference.key() == RecordKey("b"))
    }

    @Test func noRelationIsNil() async throws {
        for reference in [LazyReference<Blog>(nil), LazyReference(key: nil, loader: nil)] {
            #expect(try await reference.get() == nil)
            #expect(try reference.key() == nil)
            await #expect { try await reference.require() } throws: { ($0 as? ModelError)?.kind == .missingRelation }
        }
    }

    @Test func aRecordIsLoadedOnce() async throws {
        let loader = RecordingLoader([blog])
        let reference = LazyReference<Blog>(key: RecordKey("b"), loader: loader)
        #expect(try reference.key() == RecordKey("b"))
        #expect(loader.asked.isEmpty)
        for _ in 0..<3 { #expect(try await reference.get()?.name == "B") }
        #expect(try await reference.require().name == "B")
        #expect(loader.asked.count == 1)
        #expect(try reference.key() == RecordKey("b"))
    }

    @Test func aMissingRecordIsLookedForOnceAndKeepsItsKey() async throws {
        let loader = RecordingLoader()
        let reference = LazyReference<Blog>(key: RecordKey("gone"), loader: loader)
        for _ in 0..<2 { #expect(try await reference.get() == nil) }
        await #expect { try await reference.require() } throws: { ($0 as? ModelError)?.kind == .missingRelation }
        #expect(loader.asked.count == 1)
        #expect(try reference.key() == RecordKey("gone"))
    }

    @Test func aFailureLeavesTheRelationUnloaded() async throws {
        let loader = RecordingLoader([blog], fails: true)
        let reference = LazyReference<Blog>(key: RecordKey("b"), loader: loader)
        await #expect(throws: RecordingLoader.Unavailable.self) { try await reference.get() }
        loader.recover()
        #expect(try await reference.get()?.name == "B")
    }

    @Test func aRelationWithoutAStoreCannotBeLoaded() async throws {
        try await ExclusiveUse.modelRegistry {
            let reference = LazyReference<Blog>(key: RecordKey("b"), loader: nil)
            await #expect { try await reference.get() } throws: { ($0 as? ModelError)?.kind == .missingRelation }
        }
    }

    @Test func aRowGivesItsRelations() async throws {
        let loader = RecordingLoader([Order(shop: "s", number: 3)])
        let rows = try OrderLine(id: "l", title: "t", order: Order(shop: "s", number: 3)).row()
        let line = try OrderLine(row: RowReader(rows, row: 0, loader: loader))
        #expect(try await line.order.number == 3)
        #expect(loader.asked == ["Order [HoldfastStorage.Value.text(\"s\"), HoldfastStorage.Value.integer(3)]"])
    }

    @Test(arguments: ["[]", #"[{"name":"id","value":"x"},{"name":"id","value":"y"}]"#, #"[{"name":"a","value":"x"}]"#])
    func aModelMayHaveAFieldOfIdentifiers(identifiers: String) async throws {
        let json = #"{"id":"d","identifiers":\#(identifiers)}"#
        let reference = try JSONDecoder().decode(LazyReference<Appliance>.self, from: Data(json.utf8))
        #expect(reference.isLoaded)
        #expect(try await reference.get()?.id == "d")
    }

    @Test func aModelAtHandIsCoded() async throws {
        let data = try JSONEncoder().encode([LazyReference(blog), LazyReference(nil)])
        let copy = try JSONDecoder().decode([LazyReference<Blog>].self, from: data)
        #expect(try await copy[0].get()?.name == "B")
        #expect(try await copy[1].get() == nil)
        #expect(String(decoding: data, as: UTF8.self).hasSuffix(",null]"))
    }
}
