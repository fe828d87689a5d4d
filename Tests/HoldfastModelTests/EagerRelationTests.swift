import GeneratedModels
import HoldfastModel
import HoldfastStorage
import Testing

@Suite struct EagerRelationTests {
    let library = Library(id: "l1", name: "L")

    func page() throws -> (items: RowBuffer, parents: ParentRows) {
        let shelf = Shelf(id: "s1", label: "S", capacity: 3, isOpen: true, library: library)
        let lone = Shelf(id: "s2", label: "Lone", capacity: 1, isOpen: false)
        let items = [Item(id: "i1", title: "One", shelf: shelf), Item(id: "i2", title: "Two", shelf: lone)]
        let libraries = ParentRows([
            "library": ParentRows.Relation(try Library.rows([library]), by: Library.schema.primaryKeyColumns)
        ])
        let shelves = ParentRows.Relation(
            try Shelf.rows([shelf, lone]), by: Shelf.schema.primaryKeyColumns, parents: libraries)
        return (try Item.rows(items), ParentRows(["shelf": shelves]))
    }

    @Test func parentsOfParentsAreRead() throws {
        let (rows, parents) = try page()
        var items: [Item] = []
        try Item.read(rows, loader: nil, parents: parents, into: &items)
        #expect(items.map(\.shelf.label) == ["S", "Lone"])
        #expect(items[0].shelf.library?.name == "L")
        #expect(items[1].shelf.library == nil)
    }

    @Test func aRowWithoutItsParentsIsRefused() throws {
        let (rows, _) = try page()
        #expect(
            throws: ModelError(.missingRelation, "The record in 'shelf' of type 'Shelf' was not loaded with the row.")
        ) {
            try Item(row: RowReader(rows, row: 0))
        }
    }

    @Test func anAbsentParentIsNoneOrAnError() throws {
        let (rows, _) = try page()
        let none = ParentRows(["shelf": ParentRows.Relation(RowBuffer(columnCount: 8), by: [0])])
        #expect(throws: ModelError.self) { try Item(row: RowReader(rows, row: 0, parents: none)) }
        let shelf = try Shelf(id: "s", label: "S", capacity: 1, isOpen: true, library: library).row()
        let noLibraries = ParentRows(["library": ParentRows.Relation(RowBuffer(columnCount: 7), by: [0])])
        #expect(try Shelf(row: RowReader(shelf, row: 0, parents: noLibraries)).library == nil)
    }

    @Test func foreignKeysAreWrittenFromTheNestedModels() throws {
        let room = Room(building: "B", number: 7)
        let booking = Booking(
            id: "b", day: try Temporal.Date(iso8601String: "2026-11-21"), room: room, bookingReceiptCode: "r")
        let row = try booking.row()
        #expect(Array(row[0])[2...4] == [.text("B"), .integer(7), .text("r")])
    }

    @Test func relationsSayWhatToLoad() throws {
        let relations = Booking.schema.eagerRelations
        #expect(relations.map(\.field) == ["room", "receipt"])
        #expect(relations.map(\.model) == ["Room", "Receipt"])
        #expect(relations.map(\.keyColumns) == [[2, 3], [4]])
        let booking = try Booking(
            day: Temporal.Date(iso8601String: "2026-11-21"), room: Room(building: "B", number: 7)
        ).row()
        #expect(relations[0].key(in: booking, row: 0) == RecordKey([.text("B"), .integer(7)]))
        #expect(relations[1].key(in: booking, row: 0) == nil)
        #expect(relations[0].keyColumns(of: Room.schema) == [0, 1])
    }

    @Test func hasOneIsFoundByTheKeyHeldHere() throws {
        let rows = try Booking(day: Temporal.Date(iso8601String: "2026-11-21"), bookingReceiptCode: "r").row()
        let receipts = ParentRows.Relation(
            try Receipt.rows([Receipt(code: "q", total: 1), Receipt(code: "r", total: 2)]),
            by: Booking.schema.eagerRelations[1].keyColumns(of: Receipt.schema))
        let booking = try Booking(row: RowReader(rows, row: 0, parents: ParentRows(["receipt": receipts])))
        #expect(booking.receipt?.total == 2)
    }
}
