import HoldfastConformance
import HoldfastEngine
import HoldfastModel

extension Clause {
    /// `ENG`: the storage engine, above the adapter, behaves as documented.
    static let engine: [Clause] = families.flatMap { $0 }

    private static let families: [[Clause]] = [
        engineSaves, engineConditions, engineForeignKeys, engineDeletions, engineCascades, engineTransactions,
        engineTransactionRelations, engineConflicts, engineRelations, engineQueries, enginePages, engineObservation,
        engineLiveQueries, engineOutbox, engineSystem, engineSync, engineSending, engineSchemas, engineMigrations,
        engineTypes, engineImport,
    ]

    static func eng(
        _ id: String, _ rule: String, requires requirement: Requirement? = nil, catches: String, witness: String,
        protectsData: Bool = false, check: @escaping Check
    ) -> Clause {
        Clause(
            id, rule, level: .engine,
            requires: requirement, catches: catches, witness: witness, protectsData: protectsData,
            check: check)
    }
}

extension Bookshop {
    /// Books `0` to `n - 1`, with numbers of two or more digits so that they are in key order.
    static func books(_ count: Int, from start: Int = 0, pages: Int? = nil) -> [Book] {
        (start..<start + count).map { Book("b\(10_000 + $0)", title: "T\($0)", pages: pages ?? $0 % 7) }
    }
}
