import Foundation
import HoldfastBenchmarkSupport

@main
struct Main {
    static let benchmarks: [(group: BenchmarkResult.Group, all: [Benchmark])] = [
        (.store, Writing.all + Reading.all + Running.all + Observing.all + Relating.all + Migrating.all),
        (.language, Language.all), (.sync, Decoding.all + Applying.all + Syncing.all + Calling.all),
        (.service, Serving.all),
        (.store, Deleting.all), (.growth, Growing.all),
    ]

    static func main() async {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.wantsHelp { return print(Options.usage) }
            try await measure(options)
        } catch let error as UsageError {
            fail(error.message + "\n" + Options.usage, status: 64)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    /// Off the main thread, where an application's work on a store should be as well.
    @concurrent
    private static func measure(_ options: Options) async throws {
        let chosen = benchmarks.flatMap { group, all in
            all.filter { options.filter.isEmpty || $0.name.localizedStandardContains(options.filter) }
                .map { (group: group, benchmark: $0) }
        }
        guard !chosen.isEmpty else { throw UsageError(message: "no benchmark is called '\(options.filter)'") }

        // Fails now rather than after minutes of measuring.
        if let path = options.jsonPath {
            try [Measurement]().json.write(toFile: path, atomically: true, encoding: .utf8)
        }
        if let path = options.htmlPath { try "".write(toFile: path, atomically: true, encoding: .utf8) }

        let scratch = try ScratchDirectory()
        defer { scratch.removeAll() }
        let contenders = try await contenders(scratch).filter { ["", $0.adapter].contains(options.adapter) }
        guard !contenders.isEmpty else { throw UsageError(message: "no adapter is called '\(options.adapter)'") }
        let bench = Workbench(contenders: contenders, scale: options.scale, scratch: scratch)
        print("\(bench.items.count) records; stores in \(scratch.path); ratio = time / baseline's time, less is better")
        print("median (smallest–largest) of \(options.scale.passCount) passes through all benchmarks")

        var passes: [[Measurement]] = []
        for number in 1...options.scale.passCount {
            var results: [Measurement] = []
            for (group, benchmark) in chosen {
                results += try await benchmark.run(bench).map { measurement in
                    var measurement = measurement
                    measurement.group = group
                    return measurement
                }
            }
            passes.append(results)
            FileHandle.standardError.write(Data("pass \(number) of \(options.scale.passCount) done\n".utf8))
        }
        try await bench.close()
        let measurements = Passes.merged(passes)
        print("\n" + Report.tables(measurements) + "\n\n" + Report.summary(measurements))
        if let path = options.htmlPath {
            let records = bench.items.count.formatted(.number.locale(Locale(identifier: "en_US")))
            let page = BenchmarkPage(
                measurements.map(\.result), facts: Machine.facts, command: options.command,
                subtitle: "\(Machine.today) · \(records) records · \(options.scale.passCount) passes")
            try page.text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        if let path = options.jsonPath {
            try measurements.json.write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    /// Who takes part; each baseline comes before those measured against it.
    private static func contenders(_ scratch: ScratchDirectory) async throws -> [Contender] {
        let tables = try await Contender.adapterTables(in: scratch.make())
        return [
            .rawSQLite(tables: tables), .adapterSQLite, .dataStoreSQLite, .grdbRecord, .grdbCodable,
            .rawLevelDB, .adapterLevelDB, .dataStoreLevelDB,
            .rawMemory(tables: tables), .adapterMemory, .dataStoreMemory,
        ] + Contender.allPostgreSQL
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("holdfast-benchmarks: \(message)\n".utf8))
        exit(status)
    }
}
