import GoldenDataEager
import GoldenDataLazy
import HoldfastStorage
import Testing

@testable import HoldfastModel

/// What is assigned to a has-one relation is stored and sent as the key that the model holds.
@Suite struct HeldKeyTests {
    @Test func theRecordGivenToANewModelSetsTheKey() throws {
        let sign = GoldenDataLazy.Sign(id: "s", text: "t")
        #expect(GoldenDataLazy.Garden(name: "g", sign: sign).gardenSignId == "s")
        #expect(GoldenDataLazy.Garden(name: "g", sign: sign, gardenSignId: "other").gardenSignId == "other")
        #expect(GoldenDataLazy.Garden(name: "g").gardenSignId == nil)
        let ring = GoldenDataEager.KeyRing(id: "r", number: 1)
        #expect(GoldenDataEager.Gardener(name: "g", keyRing: ring).gardenerKeyRingId == "r")
    }

    @Test func theRecordAssignedLaterSetsTheKey() throws {
        var garden = GoldenDataLazy.Garden(name: "g", gardenSignId: "old")
        garden.setSign(GoldenDataLazy.Sign(id: "s", text: "t"))
        #expect(try garden.row()[0].contains(.text("s")))
        garden.setSign(nil)
        #expect(garden.gardenSignId == nil)
        var gardener = GoldenDataEager.Gardener(name: "g", gardenerKeyRingId: "old")
        gardener.keyRing = GoldenDataEager.KeyRing(id: "r", number: 1)
        #expect(try gardener.row()[0].contains(.text("r")))
        // The key's own field is the later word.
        gardener.gardenerKeyRingId = nil
        #expect(try !gardener.row()[0].contains(.text("r")))
    }

    @Test func aKeyOfSeveralFieldsIsSetAsAWhole() throws {
        let passenger = GoldenDataEager.Passenger(region: "eu", number: "7", name: "n")
        var seat = GoldenDataEager.Seat(row: 1, holder: passenger)
        #expect(seat.holderRegion == "eu" && seat.holderNumber == "7")
        seat.holder = nil
        #expect(seat.holderRegion == nil && seat.holderNumber == nil)
    }
}
