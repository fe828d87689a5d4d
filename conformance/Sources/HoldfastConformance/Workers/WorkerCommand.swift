/// The hidden arguments by which the suite's executable becomes a child: `--worker JOB ADAPTER ADDRESS [--mutant ID]
/// -- …`.
struct WorkerCommand {
    private let job: WorkerJob
    private let location: any StoreLocation
    private let trigger: MutantTrigger?
    private let parameters: [String]

    /// - Returns: `nil` if the arguments are not those of a child.
    init?(_ arguments: [String], harnesses: [any AdapterHarness], mutants: [Mutant]) throws {
        guard arguments.first == "--worker" else { return nil }
        guard arguments.count >= 4, let job = WorkerJob(rawValue: arguments[1]),
            let harness = harnesses.first(where: { $0.name == arguments[2] }),
            let location = try harness.location(at: arguments[3])
        else { throw HarnessFailure("The worker does not know what to do: \(arguments.joined(separator: " "))") }
        var rest = arguments.dropFirst(4)
        var mutant: Mutant?
        if rest.first == "--mutant" {
            mutant = try mutants.named(rest.dropFirst().first)
            rest = rest.dropFirst(2)
        }
        self.job = job
        parameters = Array(rest.dropFirst())
        if let mutant {
            let harness = MutantHarness(base: harness, mutant: mutant)
            trigger = harness.trigger
            self.location = try harness.location(at: arguments[3]) ?? location
        } else {
            trigger = nil
            self.location = location
        }
    }

    /// Does the job.
    ///
    /// - Returns: The exit code.
    func run() async -> Int32 {
        trigger?.onFire { WorkerJob.say("mutant fired") }
        do {
            try await job.run(location, parameters)
            return 0
        } catch {
            WorkerJob.say("failed \(error)")
            return 1
        }
    }
}

extension [Mutant] {
    /// - Throws: ``HarnessFailure`` if the mutant does not exist.
    func named(_ id: String?) throws -> Mutant {
        guard let mutant = first(where: { $0.id == id }) else {
            throw HarnessFailure("The worker does not know the mutant \(id ?? "").")
        }
        return mutant
    }
}
