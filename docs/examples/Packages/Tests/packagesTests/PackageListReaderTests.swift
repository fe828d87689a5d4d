import Testing

@testable import packages

@Suite struct PackageListReaderTests {
    /// Reads a text in chunks of a size.
    func read(_ text: String, chunkSize: Int = 7) throws -> (entries: [PackageListEntry], reader: PackageListReader) {
        try read(Array(text.utf8), chunkSize: chunkSize)
    }

    func read(_ bytes: [UInt8], chunkSize: Int) throws -> (entries: [PackageListEntry], reader: PackageListReader) {
        var rest = bytes[...]
        var reader = PackageListReader {
            defer { rest = rest.dropFirst(chunkSize) }
            return rest.isEmpty ? nil : Array(rest.prefix(chunkSize))
        }
        var entries: [PackageListEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return (entries, reader)
    }

    @Test(arguments: [1, 2, 7, 4096]) func readsAStanzaInAnyChunks(chunkSize: Int) throws {
        let text = """
            Package: foo
            version: 1.0-1
            ARCHITECTURE: amd64
            Installed-Size: 42
            Maintainer: The Foo Team <foo@example.org>
            Pre-Depends: dpkg (>= 1.15)
            Depends: a (>= 1), b | c:any,
             d (<< 2~)
            Description: Does foo
             and here is more about it
            Tag: x, y
            Section: games
            Priority: optional
            """
        let (entries, reader) = try read(text, chunkSize: chunkSize)
        let expected = PackageListEntry(
            name: "foo", version: "1.0-1", architecture: "amd64", summary: "Does foo", installedSize: 42,
            homepage: nil, priority: .optional, section: "games",
            maintainer: .init(name: "The Foo Team", email: "foo@example.org"),
            wishes: [
                .init(kind: .preDepends, target: "dpkg", constraint: ">= 1.15"),
                .init(kind: .depends, target: "a", constraint: ">= 1"),
                .init(kind: .depends, target: "b", constraint: nil),
                .init(kind: .depends, target: "c", constraint: nil),
                .init(kind: .depends, target: "d", constraint: "<< 2~"),
            ])
        #expect(entries == [expected])
        #expect(reader.malformedCount == 0)
    }

    @Test func stanzasAreSeparatedByBlankLinesOfAnyKind() throws {
        let stanza = "Package: foo\r\nVersion: 1\r\nArchitecture: all\r\n"
        let entries = try read("\n\n# a comment\n" + stanza + "\r\n" + stanza + " \t\n\n" + stanza).entries
        #expect(entries.map(\.name) == ["foo", "foo", "foo"])
    }

    @Test(arguments: [
        ("Version: 1\nArchitecture: all", "the field 'package' is missing"),
        ("Package: foo\nVersion:\nArchitecture: all", "the field 'version' is missing"),
        ("Package: foo bar\nVersion: 1\nArchitecture: all", "a package has no valid name"),
        ("Package: foo\nVersion: 1\nArchitecture: all\nnonsense", "a line is not a field"),
        ("Package: foo\nVersion: 1\nVersion: 2\nArchitecture: all", "the field 'version' appears twice"),
        (" continued\nPackage: foo", "it begins with a continued line"),
        ("Package: foo\nVersion: 1\nArchitecture: all\nInstalled-Size: -1", "the installed size is not a number"),
        ("Package: foo\nVersion: 1\nArchitecture: all\nDepends: a (>= 1", "a dependency has no closing parenthesis"),
        ("Package: foo\nVersion: 1\u{0}\nArchitecture: all", "the field 'version' is not text"),
    ]) func aMalformedStanzaIsReportedAndPassedOver(stanza: String, fault: String) throws {
        let good = "\n\nPackage: good\nVersion: 1\nArchitecture: all\n"
        let (entries, reader) = try read(good + "\n" + stanza + good)
        #expect(entries.map(\.name) == ["good", "good"])
        #expect(reader.malformedCount == 1)
        #expect(reader.faults == ["line 7: " + fault])
    }

    @Test func bytesThatAreNoTextAndEndlessLinesDoNotStopTheReader() throws {
        let good = Array("\n\nPackage: good\nVersion: 1\nArchitecture: all\n\n".utf8)
        let bad = Array("Package: bad\nVersion: ".utf8) + [0xFF, 0xFE, 0x0A] + Array("Architecture: all\n".utf8)
        let endless = [UInt8](repeating: UInt8(ascii: "x"), count: LineReader.maximumByteCount * 2)
        let (entries, reader) = try read(good + bad + good + endless + good, chunkSize: 1 << 16)
        #expect(entries.map(\.name) == ["good", "good", "good"])
        #expect(reader.malformedCount == 2)
    }
}
