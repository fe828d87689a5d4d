#if CLI
/// The source files of a new adapter's package whose back end keeps bytes under ordered keys.
extension AdapterPackage {
    /// An adapter that forwards to the kit's.
    var keyValueAdapterSource: String {
        #"""
        public import HoldfastAdapterKit
        import HoldfastStorage

        /// Keeps a store in an ordered key-value engine.
        public final class \#(name)Adapter: KeyValueBackedAdapter {
            /// What keeps records in the engine.
            public let base: KeyValueAdapter<\#(name)Engine>

            /// Creates an adapter of the store at an address, which it opens when the store is opened.
            public init(address: String) {
                base = KeyValueAdapter(
                    capabilities: .keyValue(adapterName: "\#(lowerName)", support: [:], durability: .none),
                    mark: "holdfast-\#(lowerName)", changeLogCommitCount: 1_000
                ) { request throws(StorageError) in
                    try \#(name)Engine(address: address, createsStore: request.createsStore)
                }
            }
        }

        """#
    }

    /// The smallest engine: entries in an array, in memory.
    var keyValueEngineSource: String {
        #"""
        public import HoldfastAdapterKit
        public import HoldfastStorage
        import Synchronization

        /// Entries in the order of their keys, in memory: put your library in their place, function by function.
        public final class \#(name)Engine: KeyValueEngine {
            private struct Database {
                var entries: [Entry] = []
                var isOpen = true
            }

            private static let databases = Mutex<[String: Database]>([:])
            private let address: String

            public init(address: String, createsStore: Bool) throws(StorageError) {
                self.address = address
                try Self.databases.withLock { databases throws(StorageError) in
                    guard databases[address]?.isOpen != true else {
                        throw StorageError(.locked, "The store is open already; close it first.")
                    }
                    guard createsStore || databases[address] != nil else { throw OpenRequest.missingStore }
                    databases[address, default: Database()].isOpen = true
                }
            }

            private var view: View { View(entries: Self.databases.withLock { $0[address]?.entries ?? [] }) }

            public func get(
                _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
            ) throws(StorageError) -> Bool {
                try view.get(key, body)
            }

            public func scan(
                _ range: ByteRange, isReversed: Bool,
                _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
            ) throws(StorageError) {
                try view.scan(range, isReversed: isReversed, body)
            }

            public func makeView() throws(StorageError) -> any KeyValueView { view }

            public func write(_ batch: KeyValueBatch, isSynced: Bool) throws(StorageError) {
                Self.databases.withLock { databases in
                    batch.forEach { key, value in
                        databases[address]?.entries.set(Array(key), to: value.map { Array($0) })
                    }
                }
            }

            public func close() { Self.databases.withLock { $0[address]?.isOpen = false } }
        }

        private typealias Entry = (key: [UInt8], value: [UInt8])

        /// A copy of the entries.
        private final class View: KeyValueView {
            let entries: [Entry]

            init(entries: [Entry]) { self.entries = entries }

            func get(
                _ key: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
            ) throws(StorageError) -> Bool {
                let index = entries.insertionIndex(of: key)
                guard index < entries.count, entries[index].key == key else { return false }
                try withBytes(entries[index].value, body)
                return true
            }

            func scan(
                _ range: ByteRange, isReversed: Bool,
                _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(StorageError) -> Bool
            ) throws(StorageError) {
                let lower = entries.insertionIndex(of: range.lower)
                let upper = max(lower, range.upper.map { entries.insertionIndex(of: $0) } ?? entries.count)
                for step in 0..<upper - lower {
                    let entry = entries[isReversed ? upper - 1 - step : lower + step]
                    var continues = true
                    try withBytes(entry.key) { key throws(StorageError) in
                        try withBytes(entry.value) { value throws(StorageError) in continues = try body(key, value) }
                    }
                    if !continues { return }
                }
            }

            func close() {}

            private func withBytes(
                _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
            ) throws(StorageError) {
                let outcome = bytes.withUnsafeBytes { bytes in
                    Result { () throws(StorageError) in try body(bytes) }
                }
                try outcome.get()
            }
        }

        extension [Entry] {
            /// The index of the first entry that does not precede a key.
            fileprivate func insertionIndex(of key: [UInt8]) -> Int {
                var (low, high) = (0, count)
                while low < high {
                    let middle = (low + high) / 2
                    if self[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
                }
                return low
            }

            /// Sets or removes the value of a key.
            fileprivate mutating func set(_ key: [UInt8], to value: [UInt8]?) {
                let index = insertionIndex(of: key)
                let exists = index < count && self[index].key == key
                replaceSubrange(index..<index + (exists ? 1 : 0), with: value.map { [(key, $0)] } ?? [])
            }
        }

        """#
    }
}
#endif
