#if CLI && Server
import ArgumentParser
import Foundation

/// Reads a file line by line; the memory in use is that of one line.
struct LineReader {
    /// A line without its end.
    enum Line {
        case content([UInt8])
        /// It has more bytes than a line may have; they were skipped.
        case tooLong
    }

    /// The bytes of a line at most.
    static let maximumByteCount = 16 << 20

    /// What messages call the file.
    let name: String
    /// The number of the last line that was read; the first is 1.
    private(set) var number = 0
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    /// Where the next line begins in the buffer.
    private var position = 0

    private static let bufferSize = 64 << 10

    /// Opens a file.
    ///
    /// - Parameter path: The file; `-` for the standard input.
    /// - Throws: `ValidationError` if it cannot be read.
    init(path: String) throws {
        name = path == "-" ? "standard input" : path
        guard let handle = path == "-" ? .standardInput : FileHandle(forReadingAtPath: path) else {
            throw ValidationError("'\(path)' cannot be read: \(String(cString: strerror(errno))).")
        }
        self.handle = handle
    }

    /// The next line; `nil` at the end.
    ///
    /// - Throws: `FileFailure` if the file cannot be read.
    mutating func next() throws -> Line? {
        var scanned = position
        var isTooLong = false
        while true {
            if let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                number += 1
                return line(position..<end, isTooLong)
            }
            if isTooLong || buffer.count - position > Self.maximumByteCount {
                // The rest of a line that is too long is not kept.
                isTooLong = true
                buffer.removeAll(keepingCapacity: false)
            } else {
                buffer.removeFirst(position)
            }
            position = 0
            scanned = buffer.count
            guard let bytes = try read() else {
                guard isTooLong || !buffer.isEmpty else { return nil }
                defer { buffer = [] }
                number += 1
                return line(0..<buffer.count, isTooLong)
            }
            buffer += bytes
        }
    }

    private func line(_ range: Range<Int>, _ isTooLong: Bool) -> Line {
        guard !isTooLong, range.count <= Self.maximumByteCount else { return .tooLong }
        let bytes = buffer[range]
        return .content(Array(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes))
    }

    private func read() throws -> Data? {
        do {
            let bytes = try handle.read(upToCount: Self.bufferSize)
            return bytes?.isEmpty == true ? nil : bytes
        } catch {
            throw FileFailure("'\(name)' cannot be read: \(error.localizedDescription)")
        }
    }
}
#endif
