import HoldfastStorage
import Testing

@testable import HoldfastEngine

/// When values that are written in different ways are the same.
@Suite struct MeaningTests {
    /// A double has no room for all integers of 64 bits.
    @Test(
        arguments: [
            ("1700000000000000001", "1700000000000000100", false), ("-9007199254740993", "-9007199254740992", false),
            ("9223372036854775807", "9223372036854775806", false), ("1", "1.5", false), ("1", "true", false),
            ("18446744073709551615", "18446744073709551614", false),
            ("1", "1.0", true), ("100", "1e2", true), ("0.5", "5E-1", true), ("1.5", "1.50", true), ("0", "-0", true),
        ])
    func numbersOfJSONAreTheSameIfTheyAreEqual(_ left: String, _ right: String, _ areSame: Bool) {
        let texts = [left, right].map { #"{"at":[\#($0)]}"# }
        #expect(FieldType.json.meansTheSame(.text(texts[0]), .text(texts[1])) == areSame)
        #expect(FieldType.embedded("E").meansTheSame(.text(texts[0]), .text(texts[1])) == areSame)
    }

    /// The other device's edit would be overwritten, and no one would see it.
    @Test func anotherEditOfAnIntegerThatDoublesDoNotTellApartIsAConflict() {
        var record = SyncedRecord(entity: ReconcileTests.entity, key: RecordKey("k"))
        record.accept(ReconcileTests.remote(1, ReconcileTests.row(0, 1_700_000_000_000_000_001)), generation: 0)
        var entry = OutboxEntry(model: "E", key: "k", position: 10, operation: .update)
        entry.changedFields = ["b"]
        entry.before = record.row.map { FieldValues.text($0, [2], of: ReconcileTests.entity) }
        record.row = ReconcileTests.row(0, 5)
        record.entries.append(entry)
        let verdict = record.reconcile(ReconcileTests.remote(2, ReconcileTests.row(0, 1_700_000_000_000_000_100)))
        #expect(verdict == .shelved && record.row == ReconcileTests.row(0, 5))
    }
}
