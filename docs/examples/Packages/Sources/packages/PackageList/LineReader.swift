/// Cuts chunks of bytes into lines; holds one chunk and one line at a time.
struct LineReader {
    /// What a longer line has beyond this is dropped.
    static let maximumByteCount = 2 << 20

    private let chunks: () throws -> [UInt8]?
    private var chunk: ArraySlice<UInt8> = []
    private var isAtEnd = false

    /// Reads from a source of chunks, which yields `nil` at its end.
    init(chunks: @escaping () throws -> [UInt8]?) { self.chunks = chunks }

    /// The next line without its end, or `nil`.
    mutating func next() throws -> ArraySlice<UInt8>? {
        var begun: [UInt8]?
        while !isAtEnd {
            if let end = chunk.firstIndex(of: UInt8(ascii: "\n")) {
                let line = chunk[..<end]
                chunk = chunk[(end + 1)...]
                guard var begun else { return Self.withoutReturn(line) }
                Self.append(line, to: &begun)
                return Self.withoutReturn(begun[...])
            }
            if !chunk.isEmpty {
                var line = begun ?? []
                Self.append(chunk, to: &line)
                begun = line
            }
            if let more = try chunks() { chunk = more[...] } else { isAtEnd = true }
        }
        return begun.map { Self.withoutReturn($0[...]) }
    }

    private static func append(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) {
        line += bytes.prefix(maximumByteCount - line.count)
    }

    private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
