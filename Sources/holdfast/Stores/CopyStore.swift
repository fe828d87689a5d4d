#if CLI
import ArgumentParser
import Foundation
import HoldfastEngine
import HoldfastStorage

/// `holdfast copy`.
struct CopyStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies a store to another location, on any adapter, and compares the copy with it.",
        discussion: """
            Everything is copied from one snapshot: records, outbox, metadata from the service, deletions, settings. Then \
            all of it is read back and compared. The source is only read.

            \(StoreAddress.forms)

            The target must not contain a store. No application can open it until the copy is complete. If the copy is \
            interrupted, run it again with the same target to continue.

            Examples:
              holdfast copy --from sqlite:app.db --to leveldb:app.ldb
              holdfast copy --from sqlite:app.db --to 'postgresql://me@localhost/app?schema=shop'
              holdfast copy --from postgresql://localhost/app --to sqlite:app.db --json

            Exit codes: 0 copied and compared, 1 failed (the target is marked as unfinished, or unchanged), 64 wrong \
            usage, 69 this build lacks an adapter.
            """)

    @Option(name: .customLong("from"), help: "The address of the store to copy.")
    var source: String

    @Option(name: .customLong("to"), help: "The address of the copy.")
    var target: String

    @Flag(help: "Prints what was copied as JSON.")
    var json = false

    func run() async throws {
        let source = try StoreAddress(source, option: "--from")
        let target = try StoreAddress(target, option: "--to")
        try StoreAddress.requireAdapters(for: [source, target])
        try await CommandFailure.reported(asJSON: json) {
            let store = try await Store.openAsStored { try source.makeAdapter(isReadOnly: true) }
            let report = try await copy(store, to: target)
            try await store.close()
            try printReport(report, source, target)
        }
    }

    private func copy(_ source: Store, to address: StoreAddress) async throws -> StoreCopy.Report {
        let progress = ProgressLine()
        do {
            let copy = StoreCopy(from: source, progress: { progress.show($0) }) {
                try address.makeAdapter(isReadOnly: false)
            }
            let (target, report) = try await copy.run()
            progress.end()
            try await target.close()
            return report
        } catch {
            progress.end()
            try? await source.close()
            throw error
        }
    }

    private func printReport(_ report: StoreCopy.Report, _ source: StoreAddress, _ target: StoreAddress) throws {
        if json { return try Output.json(CopyRecord(report, source, target)) }
        let kept = report.entities.reduce(0) { $0 + $1.keptCount }
        let rest = kept == 0 ? "" : ", \(kept) of them there already"
        try Output.result(
            "Copied and compared \(report.recordCount) records of \(report.entities.count) entities\(rest).")
    }
}

/// What was copied, as JSON.
private struct CopyRecord: Encodable {
    struct Entity: Encodable {
        let name: String
        let records: Int
        let kept: Int
        let digest: String
    }

    let from: String
    let to: String
    let records: Int
    let sequence: UInt64
    let entities: [Entity]

    init(_ report: StoreCopy.Report, _ source: StoreAddress, _ target: StoreAddress) {
        from = source.description
        to = target.description
        records = report.recordCount
        sequence = report.sequence
        entities = report.entities.map {
            Entity(name: $0.name, records: $0.recordCount, kept: $0.keptCount, digest: $0.digest)
        }
    }
}
#endif
