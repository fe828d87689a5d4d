/// Reads a package list, as `apt-cache dumpavail` prints it, one package at a time.
///
/// A stanza that is not a package is counted and skipped.
struct PackageListReader {
    /// So many faults are described; all are counted.
    static let describedFaultCount = 5

    private var lines: LineReader
    private var lineCount = 0
    /// Stanzas that were skipped.
    private(set) var malformedCount = 0
    /// What was wrong with the first of them.
    private(set) var faults: [String] = []

    /// Reads from a source of chunks, which yields `nil` at its end.
    init(chunks: @escaping () throws -> [UInt8]?) { lines = LineReader(chunks: chunks) }

    /// The next package, or `nil` at the end.
    ///
    /// - Throws: What the source throws.
    mutating func next() throws -> PackageListEntry? {
        while let stanza = try nextStanza() {
            do throws(StanzaFault) {
                if let fault = stanza.fault { throw fault }
                return try PackageListEntry(stanza)
            } catch {
                malformedCount += 1
                if faults.count < Self.describedFaultCount { faults.append("line \(stanza.line): \(error.message)") }
            }
        }
        return nil
    }

    private mutating func nextStanza() throws -> Stanza? {
        var stanza: Stanza?
        while let line = try lines.next() {
            lineCount += 1
            if line.trimmed.isEmpty {
                if let stanza { return stanza }
            } else if line.first != UInt8(ascii: "#") {
                if stanza == nil { stanza = Stanza(line: lineCount) }
                stanza?.append(line)
            }
        }
        return stanza
    }
}
