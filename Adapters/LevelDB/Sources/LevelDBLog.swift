#if LevelDB
    internal import HoldfastStorage

    /// What opening a store found in its log.
    public struct LevelDBRecovery: Sendable, Hashable {
        /// Bytes of the log that was read again; also after an ordinary close.
        public var logByteCount: Int
        /// Bytes at the end of the log that are no whole write and were dropped.
        ///
        /// The process or the machine ended in the middle of it. No commit that was acknowledged as durable is among them, unless the device lied or the
        /// file was cut short later.
        public var tornByteCount: Int

        /// Creates a report.
        public init(logByteCount: Int = 0, tornByteCount: Int = 0) {
            self.logByteCount = logByteCount
            self.tornByteCount = tornByteCount
        }
    }

    /// LevelDB's log: blocks of 32 KiB with records that have a header of 7 bytes and never cross a block.
    enum LevelDBLog {
        private static let blockByteCount = 32 << 10
        private static let headerByteCount = 7
        private static let whole: UInt8 = 1
        private static let last: UInt8 = 4

        /// The bytes behind the last whole write.
        ///
        /// Looks at lengths only: LevelDB itself passes over an incomplete end in silence, whereas it reports a write
        /// whose checksum is wrong.
        static func tornByteCount(of path: String) throws(StorageError) -> Int {
            var byteCount = 0
            var endOfWholeWrites = 0
            try LevelDBSystem.read(path, blockByteCount: blockByteCount) { block in
                var offset = 0
                while block.count - offset >= headerByteCount {
                    let length = Int(block[offset + 4]) | Int(block[offset + 5]) << 8
                    let kind = block[offset + 6]
                    let end = offset + headerByteCount + length
                    if end > block.count || kind == 0 { break }
                    if kind == whole || kind == last { endOfWholeWrites = byteCount + end }
                    offset = end
                }
                // The rest of a full block that has no room for a header is filled up.
                let isFilledUp = block.count == blockByteCount && block.count - offset < headerByteCount
                if isFilledUp && endOfWholeWrites == byteCount + offset { endOfWholeWrites = byteCount + block.count }
                byteCount += block.count
                return true
            }
            return byteCount - endOfWholeWrites
        }
    }
#endif
