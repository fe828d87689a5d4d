import Testing

@testable import packages

@Suite struct OptionsTests {
    @Test func everyOptionIsUnderstood() throws {
        let options = try Options.parse([
            "--adapter", "sqlite", "--store", "a.db", "--input", "list", "--limit", "5", "--fresh",
        ])
        #expect(options.storePath == "a.db")
        #expect(options.inputPath == "list")
        #expect(options.limit == 5)
        #expect(options.startsFresh)
        #expect(try Options.parse([]).adapter == .sqlite)
        #expect(try Options.parse(["--adapter", "memory"]).adapter == .memory)
        let leveldb = try Options.parse(["--adapter", "leveldb"])
        #expect(leveldb.adapter == .leveldb)
        #expect(leveldb.storePath != options.storePath && leveldb.storePath.hasSuffix("packages.leveldb"))
        #expect(try Options.parse(["--adapter", "postgresql", "--store", "host=h"]).storePath == "host=h")
    }

    @Test(arguments: [
        ["--wrong"], ["rest"], ["--adapter"], ["--adapter", "paper"], ["--limit", "0"], ["--limit", "many"],
        ["--store", "--fresh"], ["--adapter", "memory", "--store", "a.db"],
        ["--adapter", "postgresql", "--store", "host=h", "--fresh"],
    ]) func anOptionThatMakesNoSenseIsRefused(arguments: [String]) {
        #expect(throws: UsageError.self) { try Options.parse(arguments) }
    }
}
