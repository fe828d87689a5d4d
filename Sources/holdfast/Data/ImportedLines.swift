#if CLI && Server
import HoldfastServer
import HoldfastStorage
import HoldfastWire

/// Imports the lines of a file, some hundred at a time.
struct ImportedLines {
    /// What became of the lines.
    struct Counts: Encodable {
        var created = 0
        var replaced = 0
        var deleted = 0
        var unchanged = 0
        var skipped = 0
        var failed = 0
        /// The line at which the import stopped.
        var stoppedAtLine: Int?
    }

    let data: ServiceData
    let existing: ExistingRecords
    let keepsGoing: Bool
    let isDryRun: Bool
    private(set) var counts = Counts()
    private var batch: [(line: Int, record: JSONObject)] = []
    private var byteCount = 0

    private static let maximumRecordCount = 500
    private static let maximumByteCount = 1 << 20

    init(data: ServiceData, existing: ExistingRecords, keepsGoing: Bool, isDryRun: Bool) {
        self.data = data
        self.existing = existing
        self.keepsGoing = keepsGoing
        self.isDryRun = isDryRun
    }

    /// Imports all lines, or those before the first that cannot be; prints why.
    ///
    /// - Throws: `StorageError` of the store, or a failure to read the file; what was imported before stays so.
    mutating func run(_ reader: inout LineReader) async throws {
        while counts.stoppedAtLine == nil, let line = try reader.next() {
            do {
                guard let (record, size) = try Self.record(line) else { continue }
                batch.append((reader.number, record))
                byteCount += size
            } catch {
                // The lines before come first.
                try await flush(reader.name)
                if counts.stoppedAtLine == nil { fail(reader.number, "\(error)", reader.name) }
            }
            if batch.count >= Self.maximumRecordCount || byteCount >= Self.maximumByteCount {
                try await flush(reader.name)
            }
        }
        if counts.stoppedAtLine == nil { try await flush(reader.name) }
    }

    /// The record of a line, and the bytes that it takes; `nil` for an empty line.
    private static func record(_ line: LineReader.Line) throws -> (JSONObject, Int)? {
        guard case .content(let bytes) = line else {
            throw FileFailure("the line has more than \(LineReader.maximumByteCount) bytes")
        }
        guard bytes.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else { return nil }
        guard let object = try WireValue(parsing: bytes).object else { throw FileFailure("expected a JSON object") }
        return (object, bytes.count)
    }

    private mutating func flush(_ name: String) async throws {
        let outcomes = await data.importRecords(
            batch.map(\.record), existing: existing, stopsAtFailure: !keepsGoing, isDryRun: isDryRun)
        var failure: (any Error)?
        for ((line, _), outcome) in zip(batch, outcomes) {
            switch outcome {
            case .success(let outcome): counts.count(outcome)
            case .failure(let error):
                // What is wrong with the store is not the fault of the line.
                if !(error is DataError) { failure = failure ?? error }
                fail(line, "\(error)", name)
            }
        }
        batch = []
        byteCount = 0
        if let failure { throw failure }
    }

    private mutating func fail(_ line: Int, _ reason: String, _ name: String) {
        Output.error("\(name):\(line): error: \(reason)")
        counts.failed += 1
        if !keepsGoing { counts.stoppedAtLine = counts.stoppedAtLine ?? line }
    }

    /// The counts for people.
    var text: String {
        let written = "\(counts.created) created, \(counts.replaced) replaced, \(counts.deleted) deleted"
        let rest = "\(counts.unchanged) unchanged, \(counts.skipped) skipped, \(counts.failed) failed"
        let stop = counts.stoppedAtLine.map { " Stopped at line \($0)." } ?? ""
        return "\(isDryRun ? "Checked" : "Imported"): \(written); \(rest).\(stop)"
    }
}

extension ImportedLines.Counts {
    fileprivate mutating func count(_ outcome: ImportOutcome) {
        switch outcome {
        case .created: created += 1
        case .replaced: replaced += 1
        case .deleted: deleted += 1
        case .unchanged: unchanged += 1
        case .skipped: skipped += 1
        }
    }
}
#endif
