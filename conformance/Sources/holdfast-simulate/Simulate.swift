import Foundation
import HoldfastSimulation

/// Runs scenarios from seeds, and tells what they found.
struct Simulate {
    private var runs = 100
    private var seed: UInt64 = 1
    private var replay: String?
    /// What a page says repeats the runs.
    private let command: String
    private var json: String?
    private var html: String?
    private var generator = ScenarioGenerator()
    private var isVerbose = false
    private var checksTrace = true
    private var shrinks = true
    private var stops = false

    init(_ arguments: [String]) throws {
        command = (["./dev simulate"] + arguments).joined(separator: " ")
        var rest = arguments[...]
        func value() throws -> String {
            guard let value = rest.popFirst() else { throw UsageError(text: "a value is missing") }
            return value
        }
        func number() throws -> Int {
            let text = try value()
            guard let number = Int(text), number > 0 else { throw UsageError(text: "'\(text)' is no positive number") }
            return number
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--runs": runs = try number()
            case "--seed": seed = UInt64(try number())
            case "--operations": generator.operations = try number()
            case "--clients": generator.clients = try number()
            case "--servers": generator.servers = try number()
            case "--calm": generator.hasFaults = false
            case "--harsh": generator.isHarsh = true
            case "--storages":
                generator.storages = try value().split(separator: ",").map(String.init)
            case "--replay": replay = try value()
            case "--json": json = try value()
            case "--html": html = try value()
            case "--timeline": isVerbose = true
            case "--once": checksTrace = false
            case "--no-shrink": shrinks = false
            case "--stop": stops = true
            case "--help", "-h": throw UsageError(text: "runs the whole system in one thread, from seeds")
            default: throw UsageError(text: "unknown argument '\(argument)'")
            }
        }
    }

    func run() throws -> Int32 {
        var summary = Summary()
        var stories: [SimulationPage.Story] = []
        let storages = Storages()
        defer { storages.remove() }
        let chosen = try scenarios()
        // A single run is shown also if all is well.
        let isShown = html != nil && chosen.count == 1
        for scenario in chosen {
            var report = storages.run(scenario, keepsTimeline: isVerbose || isShown)
            if checksTrace, storages.run(scenario).trace != report.trace {
                report.violations.append("a second run with the same seed was another one")
            }
            summary.add(report, of: scenario)
            if isVerbose || !isShown { report.timeline.forEach { print($0) } }
            if report.violations.isEmpty {
                summary.showProgress(of: runs)
                if isShown { stories.append(try story(scenario, report, scenario)) }
            } else {
                print("seed \(scenario.seed): \(report.violations.count) violations")
                for violation in report.violations { print("  \(violation)") }
                let small = shrinks ? try shrink(scenario, report, storages) : scenario
                if html != nil, stories.count < Self.storyLimit {
                    stories.append(try story(small, storages.run(small, keepsTimeline: true), scenario))
                }
                if stops { break }
            }
        }
        summary.show()
        if let json { try JSONEncoder().encode(summary.result).write(to: URL(filePath: json)) }
        if let html { try page(summary, stories).write(to: URL(filePath: html)) }
        return summary.failures.isEmpty ? 0 : 1
    }

    private func scenarios() throws -> [Scenario] {
        if let replay {
            return [try JSONDecoder().decode(Scenario.self, from: Data(contentsOf: URL(filePath: replay)))]
        }
        return (0..<runs).map { generator.scenario(seed: seed + UInt64($0)) }
    }

    /// Makes a failing scenario small, tells what happens in it, and keeps it in a file.
    private func shrink(_ scenario: Scenario, _ report: RunReport, _ storages: Storages) throws -> Scenario {
        let kind = report.violations.first.map(Self.kind) ?? ""
        let small = Shrinker { storages.run($0).violations.contains { Self.kind($0) == kind } }.shrunk(scenario)
        let path = FileManager.default.temporaryDirectory.appending(path: "holdfast-seed-\(scenario.seed).json")
        try Self.data(small).write(to: path)
        print("  \(small.steps.count) of \(scenario.steps.count) steps are enough: --replay \(path.path())")
        for line in storages.run(small, keepsTimeline: true).timeline.suffix(40) { print("  \(line)") }
        return small
    }

    /// How many failing runs a page shows as a whole.
    private static let storyLimit = 5

    private func story(_ small: Scenario, _ report: RunReport, _ scenario: Scenario) throws -> SimulationPage.Story {
        let json = String(decoding: try Self.data(small), as: UTF8.self)
        return SimulationPage.Story(small, report, stepCount: scenario.steps.count, json: json)
    }

    private func page(_ summary: Summary, _ stories: [SimulationPage.Story]) -> Data {
        let date = String(Date().formatted(.iso8601).prefix(10))
        let page = SimulationPage(
            summary.result, kinds: summary.kinds, stories: stories, command: command, date: date)
        return Data(page.text.utf8)
    }

    private static func data(_ scenario: Scenario) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(scenario)
    }

    /// A violation without the names and numbers in it.
    private static func kind(_ violation: String) -> String {
        violation.split(separator: " ").filter { word in !word.contains { $0.isNumber } }.joined(separator: " ")
    }
}

struct UsageError: Error {
    var text: String

    static let usage = """
        usage: holdfast-simulate [arguments]

          --runs N          how many scenarios; 100
          --seed N          the seed of the first one; 1
          --operations N    operations of applications in each; 60
          --clients N       clients at most; 3
          --servers N       processes of the service at most; 2
          --storages A,B    where clients may keep their records: memory (the default), sqlite, leveldb
          --calm            without faults
          --harsh           other lives of tombstones, and limits of records
          --replay FILE     the scenario in a file
          --timeline        print everything that happens
          --once            do not run each scenario twice to see that both runs are the same
          --no-shrink       do not make failing scenarios smaller
          --stop            end at the first violation
          --json FILE       write the summary to a file
          --html FILE       write a page with the summary, and with a space-time diagram of each of the first five runs
                            that fail; of a single run in any case
        """
}
