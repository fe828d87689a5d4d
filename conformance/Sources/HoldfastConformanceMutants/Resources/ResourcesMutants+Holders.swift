import Foundation
import HoldfastConformance
import HoldfastStorage

/// Descriptors that a mutant does not give back as long as its location is known, up to a number that leaves enough.
final class HeldDescriptors: Sendable {
    private let descriptors = Mutex<[Int32]>([])

    deinit { for descriptor in descriptors.withLock({ $0 }) { close(descriptor) } }

    /// Opens one more.
    func open() {
        descriptors.withLock { descriptors in
            if descriptors.count < 600 { descriptors.append(Self.newDescriptor()) }
        }
    }

    static func newDescriptor() -> Int32 { Foundation.open("/dev/null", O_RDONLY) }
}

/// Memory that a mutant does not give back as long as its adapter lives.
final class HeldMemory: Sendable {
    private let blocks = Mutex<[[UInt8]]>([])
    func take(_ byteCount: Int) { blocks.withLock { $0.append([UInt8](repeating: 1, count: byteCount)) } }
}

/// A snapshot that reports when it is closed, but not when it is dropped.
struct ClosingSnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot
    let onClose: @Sendable () -> Void

    var sequence: UInt64 { base.sequence }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.get(request, into: &rows)
    }
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan { try await base.scan(range) }
    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan { try await base.query(query) }
    func aggregate(_ aggregate: BoundAggregate) async throws(StorageError) -> [Value] {
        try await base.aggregate(aggregate)
    }
    func close() async {
        onClose()
        await base.close()
    }
}

/// A snapshot without records.
struct EmptySnapshot: AdapterSnapshot {
    let base: any AdapterSnapshot

    var sequence: UInt64 { base.sequence }
    func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.get(request, into: &rows)
        rows.reset(columnCount: rows.columnCount)
        for _ in request.keys { rows.appendAbsentRow() }
    }
    func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan { RowsScan(rows: [], columnCount: 0) }
    func query(_ query: BoundQuery) async throws(StorageError) -> any AdapterScan {
        RowsScan(rows: [], columnCount: query.projection.count)
    }
    func close() async { await base.close() }
}

/// A scan that gives its descriptor back at its end only.
struct DescriptorScan: AdapterScan {
    var base: any AdapterScan
    let descriptor: Int32

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        if rows.isEmpty { Foundation.close(descriptor) }
    }
    mutating func close() async {
        Foundation.close(descriptor)
        await base.close()
    }
}

/// A scan that keeps what it has delivered.
struct KeepingScan: AdapterScan {
    var base: any AdapterScan
    var kept: [[StoredRow]] = []

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        kept.append(rows.storedRows)
    }
    mutating func close() async { await base.close() }
}

/// A scan that continues in the newest state after a hundred rows.
struct SwitchingScan: AdapterScan {
    var base: any AdapterScan
    let query: BoundQuery
    let adapter: any StorageAdapter
    let trigger: MutantTrigger
    var count = 0

    mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
        try await base.next(maximumRowCount: maximumRowCount, into: &rows)
        count += rows.rowCount
        guard count > 100 else { return }
        let keys = rows.storedRows.map { query.entity.key(of: $0.cells) }
        var now = RowBuffer()
        try await adapter.get(GetRequest(query.entity.name, keys: keys), into: &now)
        if now.cells != rows.cells { trigger.fire() }
        if !rows.isEmpty { rows = now }
    }
    mutating func close() async { await base.close() }
}
