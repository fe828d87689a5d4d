import Foundation
import HoldfastGraphQL
import HoldfastSchema
import HoldfastServer
import HoldfastSimulation

/// Runs scenarios from seeds, and reports what they found.
struct Simulate {
    /// How many scenarios; `nil` for 100, or for the one of a file.
    private var givenRuns: Int?
    private var seed: UInt64 = 1
    private var replay: String?
    /// What a page says repeats the runs.
    private let command: String
    private var json: String?
    private var html: String?
    private var generator = ScenarioGenerator()
    private var schema = SimulatedSchema.standard
    private var isVerbose = false
    private var checksTrace = true
    private var shrinks = true
    private var stops = false
    private var isOfCores = false

    init(_ arguments: [String]) throws {
        var command: String?
        var files: [String] = []
        var strategy: Scenario.Strategy?
        var strategies: [String: Scenario.Strategy] = [:]
        var rest = arguments[...]
        func value() throws -> String {
            guard let value = rest.popFirst() else { throw UsageError(text: "a value is missing") }
            return value
        }
        func number() throws -> Int {
            let text = try value()
            guard let number = Int(text), number > 0 else {
                throw UsageError(text: "'\(text)' is not a positive number")
            }
            return number
        }
        func way(_ name: String) throws -> Scenario.Strategy {
            guard let strategy = Scenario.Strategy(rawValue: name) else {
                throw UsageError(
                    text: "'\(name)' is not a way to resolve conflicts; use automerge, optimistic, or function")
            }
            return strategy
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--runs": givenRuns = try number()
            case "--seed": seed = UInt64(try number())
            case "--operations": generator.operations = try number()
            case "--clients": generator.clients = try number()
            case "--server-processes": generator.servers = try number()
            case "--calm": generator.hasFaults = false
            case "--harsh": generator.isHarsh = true
            case "--storages":
                generator.storages = try value().split(separator: ",").map(String.init)
                for name in generator.storages where !Storages.names.contains(name) {
                    let names = Storages.names.joined(separator: ", ")
                    throw UsageError(text: "this build has no storage '\(name)'; there are \(names)")
                }
            case "--schema": files.append(try value())
            case "--strategy": strategy = try way(value())
            case "--conflict":
                let parts = try value().split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw UsageError(text: "--conflict needs Model=strategy") }
                strategies[parts[0]] = try way(parts[1])
            case "--as": command = try value()
            case "--replay": replay = try value()
            case "--json": json = try value()
            case "--html": html = try value()
            case "--timeline": isVerbose = true
            case "--once": checksTrace = false
            case "--cores": isOfCores = true
            case "--no-shrink": shrinks = false
            case "--stop": stops = true
            case "--help", "-h":
                print("Runs the whole system in one thread, from seeds.\n\n\(UsageError.usage)")
                exit(0)
            default: throw UsageError(text: "unknown argument '\(argument)'")
            }
        }
        self.command = command ?? (["./dev simulate"] + arguments).joined(separator: " ")
        if !files.isEmpty { try read(files) }
        for name in strategies.keys.sorted() where !schema.modelNames.contains(name) {
            throw InputFailure(text: "the schema has no model '\(name)'", status: 64)
        }
        (generator.strategy, generator.strategies) = (strategy, strategies)
    }

    /// Simulates the schema of some files.
    private mutating func read(_ files: [String]) throws {
        let sources = try files.enumerated().map { index, path in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw UsageError(text: "'\(path)' cannot be read")
            }
            return Source(bytes: Array(data), name: path, index: UInt32(index))
        }
        do {
            schema = try SimulatedSchema(sources)
        } catch {
            throw SchemaFailure(error: error, isJSON: json == "-")
        }
        generator.schema = schema
    }

    private var runs: Int { givenRuns ?? (replay == nil ? 100 : 1) }

    func run() throws -> Int32 {
        if isOfCores { return try runCores() }
        var summary = Summary()
        var stories: [SimulationPage.Story] = []
        let storages = Storages(schema)
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
            if isVerbose || !isShown { report.timeline.forEach(say) }
            if report.violations.isEmpty {
                summary.showProgress(of: runs)
                if isShown { stories.append(try story(scenario, report, scenario)) }
            } else {
                say("seed \(scenario.seed): \(report.violations.count) violations")
                for violation in report.violations { say("  \(violation)") }
                let small = shrinks ? try shrink(scenario, report, storages) : scenario
                summary.add(report.violations, of: scenario.seed, replay: shrinks ? Self.path(scenario) : nil)
                if html != nil, stories.count < Self.storyLimit {
                    stories.append(try story(small, storages.run(small, keepsTimeline: true), scenario))
                }
                if stops { break }
            }
        }
        if json != "-" { summary.show() }
        if let json { try write(summary, to: json) }
        if let html { try page(summary, stories).write(to: URL(filePath: html)) }
        return summary.failures.isEmpty ? 0 : 1
    }

    private func scenarios() throws -> [Scenario] {
        if let replay {
            let scenario: Scenario
            do {
                scenario = try JSONDecoder().decode(Scenario.self, from: Data(contentsOf: URL(filePath: replay)))
            } catch {
                throw InputFailure(text: "'\(replay)' is not a scenario")
            }
            if let problem = scenario.problem(in: schema) { throw InputFailure(text: "\(replay): \(problem)") }
            return (0..<runs).map { number in
                var scenario = scenario
                scenario.seed &+= UInt64(number)
                return scenario
            }
        }
        return (0..<runs).map { generator.scenario(seed: seed + UInt64($0)) }
    }

    /// Tries every order of delivery in a small scope.
    private func runCores() throws -> Int32 {
        var all = CoreScope.Search()
        let clock = ContinuousClock()
        let duration = try clock.measure {
            for strategy in [ConflictStrategy.automerge, .optimisticConcurrency] {
                for retriesLocal in [false, true] {
                    let search = try CoreScope(strategy: strategy, retriesLocal: retriesLocal).search(choices: runs)
                    let handler = retriesLocal ? "retryLocal" : "applyRemote"
                    say("\(strategy), \(handler): \(search.choices) choices, \(search.states) states")
                    all.add(search)
                }
            }
        }
        let rate = Double(all.events) / (duration / .seconds(1))
        say("\(all.events) events, \(all.states) states, \(all.ends) ends, \(Int(rate)) events a second")
        if let problem = all.problem { say(problem) }
        return all.problem == nil ? 0 : 1
    }

    /// Makes a failing scenario small, reports what happens in it, and keeps it in a file.
    private func shrink(_ scenario: Scenario, _ report: RunReport, _ storages: Storages) throws -> Scenario {
        let kind = report.violations.first.map(Self.kind) ?? ""
        let small = Shrinker { storages.run($0).violations.contains { Self.kind($0) == kind } }.shrunk(scenario)
        let path = Self.path(scenario)
        try Self.data(small).write(to: URL(filePath: path))
        say("  \(small.steps.count) of \(scenario.steps.count) steps are enough: --replay \(path)")
        for line in storages.run(small, keepsTimeline: true).story.suffix(60) { say("  \(line)") }
        return small
    }

    /// Where a scenario that fails is kept.
    private static func path(_ scenario: Scenario) -> String {
        FileManager.default.temporaryDirectory.appending(path: "holdfast-seed-\(scenario.seed).json")
            .path(percentEncoded: false)
    }

    /// Prints a line; on the standard error if the standard output is for JSON.
    private func say(_ line: String) {
        if json == "-" { FileHandle.standardError.write(Data("\(line)\n".utf8)) } else { print(line) }
    }

    private func write(_ summary: Summary, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(summary.result)
        if path == "-" {
            print(String(decoding: data, as: UTF8.self))
        } else {
            try data.write(to: URL(filePath: path))
        }
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
