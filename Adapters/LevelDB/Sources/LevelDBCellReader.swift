#if LevelDB
    internal import HoldfastStorage

    /// Takes cells off the front of bytes that ``LevelDBCellCodec`` wrote.
    struct LevelDBCellReader {
        private var rest: UnsafeRawBufferPointer
        /// Nesting that no list which was accepted has.
        private static let maximumDepth = 64

        init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

        var isAtEnd: Bool { rest.isEmpty }

        /// The next cell.
        ///
        /// - Throws: ``StorageError`` `.corruption`.
        mutating func value(depth: Int = 0) throws(StorageError) -> Value {
            typealias Tag = LevelDBCellCodec.Tag
            switch try byte() {
            case Tag.null: return .null
            case Tag.false: return .boolean(false)
            case Tag.true: return .boolean(true)
            case Tag.integer: return .integer(try signed())
            case Tag.double: return .double(Double(bitPattern: try fixed()))
            case Tag.text:
                let bytes = try bytes()
                guard let text = String(validating: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self) else {
                    throw .damagedRecord()
                }
                return .text(text)
            case Tag.bytes: return .bytes(Array(try bytes()))
            case Tag.date:
                let days = try signed()
                return .date(CalendarDate(daysSinceEpoch: Int32(clamping: days), tail: try tail()))
            case Tag.time:
                let nanoseconds = try signed()
                return .time(ClockTime(nanosecondsSinceMidnight: nanoseconds, tail: try tail()))
            case Tag.timestamp:
                let seconds = try signed()
                let nanoseconds = Int32(clamping: try unsigned())
                return .timestamp(
                    Timestamp(secondsSinceEpoch: seconds, nanoseconds: nanoseconds, tail: try tail()))
            case Tag.list:
                let count = try unsigned()
                guard count <= UInt64(rest.count), depth < Self.maximumDepth else { throw .damagedRecord() }
                var elements: [Value] = []
                elements.reserveCapacity(Int(count))
                for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
                return .list(elements)
            default: throw .damagedRecord()
            }
        }

        /// The next number of 8 bytes.
        mutating func fixed() throws(StorageError) -> UInt64 {
            guard rest.count >= 8 else { throw .damagedRecord() }
            defer { rest = UnsafeRawBufferPointer(rebasing: rest[8...]) }
            return UInt64(littleEndian: rest.loadUnaligned(as: UInt64.self))
        }

        /// The next number of a length that depends on it.
        mutating func unsigned() throws(StorageError) -> UInt64 {
            var result: UInt64 = 0
            var shift: UInt64 = 0
            while shift < 64 {
                let next = try byte()
                result |= UInt64(next & 0x7F) << shift
                if next < 0x80 { return result }
                shift += 7
            }
            throw .damagedRecord()
        }

        private mutating func byte() throws(StorageError) -> UInt8 {
            guard let first = rest.first else { throw .damagedRecord() }
            rest = UnsafeRawBufferPointer(rebasing: rest[1...])
            return first
        }

        private mutating func signed() throws(StorageError) -> Int64 {
            let packed = try unsigned()
            return Int64(bitPattern: packed >> 1) ^ -Int64(bitPattern: packed & 1)
        }

        private mutating func bytes() throws(StorageError) -> UnsafeRawBufferPointer {
            let count = try unsigned()
            guard count <= UInt64(rest.count) else { throw .damagedRecord() }
            defer { rest = UnsafeRawBufferPointer(rebasing: rest[Int(count)...]) }
            return UnsafeRawBufferPointer(rebasing: rest[..<Int(count)])
        }

        private mutating func tail() throws(StorageError) -> TemporalTail {
            let packed = try unsigned()
            let digits = Int(packed & 0x0F)
            var offset: Int32?
            if packed >> 4 > 0 {
                let place = Int64(clamping: (packed >> 4) - 1)
                offset = Int32(clamping: (place >> 1) ^ -(place & 1))
            }
            guard digits <= 9, abs(Int64(offset ?? 0)) < 64_800 else { throw .damagedRecord() }
            return TemporalTail(offset: offset, fractionDigits: digits)
        }
    }

    extension UnsafeRawBufferPointer {
        fileprivate func assumingMemoryBound(to type: UInt8.Type) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: baseAddress?.assumingMemoryBound(to: type), count: count)
        }
    }
#endif
