#if CLI
/// The source files of a new adapter's package.
extension AdapterPackage {
    /// A store in memory that conforms to the contract, to begin with.
    var adapterSource: String {
        #"""
        public import HoldfastStorage
        import Synchronization

        /// A store in memory, where your adapter begins: put your back end in the place of the reference.
        public final class \#(name)Adapter: StorageAdapter {
            private enum Phase { case new, open(ReferenceStore), closed }
            private let phase = Mutex(Phase.new)

            public let capabilities = Capabilities(adapterName: "\#(lowerName)", support: [.uniqueIndexes: .native])
            public init() {}

            public func open(_ request: OpenRequest) async throws(StorageError) {
                guard request.createsStore else { throw OpenRequest.missingStore }
                try phase.withLock { phase throws(StorageError) in
                    guard case .new = phase else { throw StorageError(.misuse, "An adapter is opened once; make a new one.") }
                    phase = .open(ReferenceStore(schema: request.schema))
                }
            }

            public func snapshot() async throws(StorageError) -> any AdapterSnapshot { Snapshot(try content(), of: self) }

            /// Not on the caller's actor: a large commit takes its time.
            @concurrent public func commit(_ request: CommitRequest) async throws(StorageError) -> CommitReceipt {
                try StorageError.checkCancellation()
                return try phase.withLock { phase throws(StorageError) in
                    var content = try Self.content(of: phase)
                    let receipt = try content.commit(request)
                    phase = .open(content)
                    return receipt
                }
            }

            public func close() async throws(StorageError) { phase.withLock { $0 = .closed } }

            fileprivate func content() throws(StorageError) -> ReferenceStore { try Self.content(of: phase.withLock { $0 }) }

            private static func content(of phase: Phase) throws(StorageError) -> ReferenceStore {
                switch phase {
                case .open(let content): return content
                case .new: throw StorageError(.misuse, "The store is not open yet; open it before any other call.")
                case .closed: throw StorageError.closedStore()
                }
            }
        }

        /// What a commit left, until it is closed.
        private final class Snapshot: AdapterSnapshot {
            let sequence: UInt64
            private let adapter: \#(name)Adapter
            private let content: Mutex<ReferenceStore?>

            init(_ content: ReferenceStore, of adapter: \#(name)Adapter) {
                sequence = content.sequence
                self.adapter = adapter
                self.content = Mutex(content)
            }

            func open() throws(StorageError) -> ReferenceStore {
                _ = try adapter.content()
                guard let content = content.withLock({ $0 }) else { throw StorageError.closedStore() }
                return content
            }

            func get(_ request: GetRequest, into rows: inout RowBuffer) async throws(StorageError) {
                let content = try open()
                rows.reset(columnCount: try content.schema.entity(named: request.entity).fields.count)
                for key in request.keys {
                    if let record = content.record(request.entity, key) {
                        rows.append(record.row, version: record.version)
                    } else {
                        rows.appendAbsentRow()
                    }
                }
            }

            func scan(_ range: KeyRange) async throws(StorageError) -> any AdapterScan {
                let content = try open()
                let entity = try content.schema.entity(named: range.entity)
                return Scan(columnCount: entity.fields.count, records: content.records(in: range), snapshot: self)
            }

            func close() async { content.withLock { $0 = nil } }
        }

        /// Records that are still to be delivered.
        private struct Scan: AdapterScan {
            let columnCount: Int
            var records: ArraySlice<ReferenceStore.Record>
            let snapshot: Snapshot

            mutating func next(maximumRowCount: Int, into rows: inout RowBuffer) async throws(StorageError) {
                _ = try snapshot.open()
                rows.reset(columnCount: columnCount)
                for record in records.prefix(maximumRowCount) { rows.append(record.row, version: record.version) }
                records = records.dropFirst(rows.rowCount)
            }

            mutating func close() async { records = [] }
        }

        """#
    }

    var harnessSource: String {
        let address = hasKeyValueEngine ? "address: address" : ""
        let levels =
            hasKeyValueEngine
            ? """
            /// Add `.durableProcessCrash` and `.durablePowerLoss` once the engine writes files, and say so in the
                /// capabilities.
                public let levels: Set<Level> = [.core, .query, .transactional, .feed]
            """
            : "public let levels: Set<Level> = [.core, .query, .transactional]"
        return #"""
            public import HoldfastConformance
            import HoldfastStorage
            import Synchronization
            import \#(name)

            /// What the conformance suite needs to try the adapter.
            public struct \#(name)Harness: AdapterHarness {
                public let name = "\#(lowerName)"
                \#(levels)

                private static let lastNumber = Atomic(0)

                public init() {}

                /// A new, empty place for a store: for a back end with files, its own directory.
                public func makeLocation() async throws -> any StoreLocation {
                    Location(address: "\#(lowerName)-\(Self.lastNumber.add(1, ordering: .relaxed).newValue)")
                }
            }

            private struct Location: StoreLocation {
                let address: String

                func makeAdapter() throws -> any StorageAdapter { \#(name)Adapter(\#(address)) }
                func remove() async {}
            }

            """#
    }

    var mainSource: String {
        #"""
        import Foundation
        import HoldfastConformance
        import \#(name)Harness

        // More is in their own products, which take longer to compile: `suite: .complete` of HoldfastEngineConformance
        // runs the storage engine on the adapter, `mutants: Mutant.all` of HoldfastConformanceMutants is for
        // `--mutate`.
        @main
        enum Main {
            static func main() async {
                exit(await ConformanceCommand([\#(name)Harness()]).run(Array(CommandLine.arguments.dropFirst())))
            }
        }

        """#
    }

    var testSource: String {
        #"""
        import HoldfastConformance
        import HoldfastConformanceTesting
        import Testing
        import \#(name)Harness

        @Test(arguments: Suite.adapter.clauseIDs)
        func conforms(_ clause: String) async throws {
            try await expectConformance(of: \#(name)Harness(), to: clause)
        }

        """#
    }
}
#endif
