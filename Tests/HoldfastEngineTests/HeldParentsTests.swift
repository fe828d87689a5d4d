import HoldfastModel
import HoldfastStorage
import Testing

@testable import HoldfastEngine

struct HeldParentsTests {
    static let entity = EntitySchema("P", fields: [FieldSchema("id", .string)])

    static func models() throws -> ModelCatalog { try ModelCatalog(models: [House.self, Deed.self, Room.self]) }

    /// What was looked up for rooms in houses of some numbers.
    func held(_ ids: Range<Int>, version: UInt64, sequence: UInt64 = 10) throws -> HeldParents {
        let catalog = try Self.models()
        let model = try catalog.model(Room.self)
        var (rooms, houses) = (RowBuffer(columnCount: 3), RowBuffer(columnCount: 2))
        for id in ids {
            rooms.append([.text("r\(id)"), .text(""), .text("h\(id)")])
            if version > 0 { houses.append([.text("h\(id)"), .text("")], version: version) }
        }
        var held = HeldParents(sequence: sequence)
        held.insert(
            rooms, rows: 0..<rooms.rowCount, of: model, ParentRows(["house": ParentRows.Relation(houses, by: [0])]),
            in: catalog)
        return held
    }

    @Test func onlyLaterCommitsOfRecordsThatWereLookedUpMatter() throws {
        let entity = try Self.models().entity(of: House.self)
        func change(_ id: String, _ sequence: UInt64, _ kind: ChangeKind = .updated) -> ChangeSet {
            ChangeSet(
                sequence: sequence, entity: entity, kinds: [kind], rows: RowBuffer(row: [.text(id), .text("")]))
        }
        for version in [0, 5] as [UInt64] {
            let held = try held(0..<3, version: version)
            #expect(held.mayDiffer(after: change("h1", 11)))
            #expect(held.mayDiffer(after: change("h1", 11, .deleted)))
            #expect(!held.mayDiffer(after: change("h1", 10)))
            #expect(!held.mayDiffer(after: change("h3", 11)))
            #expect(held.mayDiffer(after: .missed(entity, through: 0)))
            #expect(!held.mayDiffer(after: .missed(Self.entity, through: 0)))
        }
    }

    /// A record that is found by other columns than its key, and of whose changes the keys are known at most.
    @Test func aRecordThatMayHaveComeMatters() throws {
        let catalog = try ModelCatalog(schemas: [House.schema, Deed.schema])
        let (house, deed) = (
            try #require(catalog.model(named: "House")), try #require(catalog.model(named: "Deed")?.entity)
        )
        var (houses, deeds) = (RowBuffer(columnCount: 2), RowBuffer(columnCount: 2))
        for id in ["h1", "h2"] { houses.append([.text(id), .text("")]) }
        deeds.append([.text("d1"), .text("h1")], version: 5)
        var held = HeldParents(sequence: 10)
        held.insert(
            houses, rows: 0..<2, of: house, ParentRows(["deed": ParentRows.Relation(deeds, by: [1])]), in: catalog)
        func mayDiffer(
            _ kind: ChangeKind, _ id: String, of house: String?, _ knowledge: ChangeSet.Knowledge = .certain
        ) -> Bool {
            held.mayDiffer(
                after: ChangeSet(
                    sequence: 11, entity: deed, kinds: [kind],
                    rows: RowBuffer(row: [.text(id), house.map { .text($0) } ?? .null]), knowledge: knowledge))
        }
        #expect(mayDiffer(.created, "d2", of: "h2") && mayDiffer(.created, "d0", of: "h1"))
        #expect(!mayDiffer(.created, "d3", of: "h3"))
        #expect(mayDiffer(.updated, "d1", of: "h3") && mayDiffer(.deleted, "d1", of: nil, .keysOnly))
        #expect(mayDiffer(.updated, "d3", of: nil, .keysOnly) && !mayDiffer(.deleted, "d3", of: nil, .keysOnly))
        #expect(mayDiffer(.created, "d3", of: "h3", .mayHaveHappened))
    }

    /// A record that was read later than the others does not belong to the same result if its parent is newer.
    @Test(
        arguments: [
            (5, 12, false), (5, 15, false), (12, 15, false), (13, 15, true), (0, 12, false), (0, 15, true),
        ] as [(UInt64, UInt64, Bool)])
    func parentsThatAreNewerThanAChangeMakeTheResultOutdated(
        version: UInt64, sequence: UInt64, isOutdated: Bool
    ) throws {
        let change: UInt64 = 12
        var all = try held(0..<1, version: 3)
        all.add(try held(1..<2, version: version, sequence: sequence), for: change)
        #expect(all.areOutdated == isOutdated)
        var known = try held(0..<1, version: 3)
        known.add(try held(0..<1, version: 3, sequence: sequence), for: change)
        #expect(!known.areOutdated)
        known.add(try held(0..<1, version: 4, sequence: sequence), for: change)
        #expect(known.areOutdated)
    }

    @Test func heldParentsAreOutdatedAfterManyAdditions() throws {
        var all = try held(0..<10, version: 3)
        let room = 10 + HeldParents.roomForAdditions
        all.add(try held(10..<10 + room, version: 4), for: 12)
        #expect(!all.areOutdated)
        all.add(try held(10 + room..<11 + room, version: 4), for: 13)
        #expect(all.areOutdated)
    }
}
