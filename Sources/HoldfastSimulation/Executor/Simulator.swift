import HoldfastModel
public import HoldfastStorage

/// Runs tasks on one thread, in an order that follows from a seed, with a clock of its own.
///
/// The next job is chosen at random from those that are ready. If none is ready, the clock jumps to the end of
/// the next pause. The same seed gives the same order in every run of a process that has
/// `SWIFT_DETERMINISTIC_HASHING=1`. Jobs of other threads are not its concern.
///
/// Unchecked because everything happens on the one thread that calls ``run(_:)``.
public final class Simulator: @unchecked Sendable {
    /// Why a run ended before its task did.
    public enum Stop: Error, Sendable, Hashable {
        /// Nothing was ready and nothing paused: something waits that nothing will wake.
        case stuck
        /// It took more jobs than it may.
        case tooManyJobs
        /// Swift's runtime has no place for the hook, or no executors of tasks (before iOS 18 and macOS 15).
        case unsupported
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private final class Executor: TaskExecutor {
        static let shared = Executor()

        func enqueue(_ job: consuming ExecutorJob) { TaskHook.receiver?.add(UnownedJob(job)) }
    }

    private var ready: [UnownedJob] = []
    private var timers = TimerHeap()
    private var random: SplitMix64
    private var lastTimer: UInt64 = 0
    private let jobLimit: Int
    /// Whether pauses end at once, since the run is over.
    private var isOver = false
    /// The schemas of the models that are simulated, by their positions.
    var schemas: [ModelSchema] = []

    /// The simulator that runs on this thread.
    static var current: Simulator? { TaskHook.receiver }

    /// Microseconds since the run began.
    public private(set) var now: Int64 = 0
    /// How many jobs ran.
    public private(set) var jobCount = 0
    /// What happened, as a number: another order gives another one.
    public private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates a simulator.
    ///
    /// - Parameters:
    ///   - seed: Decides the order.
    ///   - jobLimit: How many jobs a run may take; 20 million.
    public init(seed: UInt64, jobLimit: Int = 20_000_000) {
        random = SplitMix64(seed: seed, 0x5C4E_D01E)
        self.jobLimit = jobLimit
    }

    /// Runs a task and all that it starts, until it returns.
    ///
    /// - Throws: ``Stop`` if it never would.
    public func run<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) throws(Stop) -> Result {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), TaskHook.isInstalled else {
            throw .unsupported
        }
        TaskHook.receiver = self
        defer { TaskHook.receiver = nil }
        let box = Box<Result>()
        Task.detached { box.value = await body() }
        defer { end() }
        while true {
            if let value = box.value { return value }
            if jobCount >= jobLimit { throw .tooManyJobs }
            guard step() else { throw .stuck }
        }
    }

    /// Adds something that happened to the trace.
    public func note(_ number: UInt64) { mix(number) }

    /// Lets time pass for the current task.
    public func sleep(_ duration: Duration) async throws {
        let time = duration.microseconds
        if Task.isCancelled || isOver { throw CancellationError() }
        if time <= 0 { return }
        lastTimer += 1
        let id = lastTimer
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if Task.isCancelled || isOver {
                    continuation.resume()
                } else {
                    timers.insert(id, at: now + time, continuation)
                }
            }
        } onCancel: {
            timers.remove(id)?.resume()
        }
        if Task.isCancelled || isOver { throw CancellationError() }
    }

    /// Lets time pass for the current task, even if it is cancelled.
    func pass(microseconds time: Int) async {
        if time <= 0 || isOver { return }
        await withUnsafeContinuation { continuation in
            lastTimer += 1
            timers.insert(lastTimer, at: now + Int64(time), lasting: continuation)
        }
    }

    /// The time and the random numbers of one part of the system.
    ///
    /// - Parameters:
    ///   - seed: Decides the random numbers.
    ///   - wall: What the clock of the part shows, in microseconds since 1970, at a time of the run.
    /// - Returns: Surroundings whose clocks follow the time of the run.
    public func surroundings(
        seed: UInt64, wall: @escaping @Sendable (Int64) -> Int64 = { 1_700_000_000_000_000 + $0 }
    ) -> Surroundings {
        let random = Box<SplitMix64>()
        random.value = SplitMix64(seed: seed)
        return Surroundings(
            wallMicroseconds: { wall(self.now) }, uptime: { .microseconds(self.now) },
            sleep: { try await self.sleep($0) }, random: { random.value?.next() ?? 0 })
    }

    func add(_ job: UnownedJob) { ready.append(job) }

    /// Runs one job, or lets time pass until there is one.
    private func step() -> Bool {
        if ready.isEmpty {
            guard let timer = timers.popFirst() else { return false }
            now = max(now, timer.at)
            timer.continuation.resume()
            return true
        }
        let choice = random.next()
        let index = ready.count == 1 ? 0 : Int(choice >> 8) % ready.count
        mix(UInt64(index) << 32 | UInt64(ready.count))
        ready.swapAt(index, ready.count - 1)
        let job = ready.removeLast()
        jobCount += 1
        if choice % Self.handoffInterval != 0 {
            job.runSynchronously(on: Self.anyExecutor)
        } else if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            // `run` has made sure that it is available.
            job.runSynchronously(on: Executor.shared.asUnownedTaskExecutor())
        }
        return true
    }

    /// One job in this many ends where its task goes to an actor or leaves one, so that others come between.
    ///
    /// The others continue until their task waits, as they do where a thread is free. Either may show a mistake.
    private static let handoffInterval: UInt64 = 8

    /// The executor of jobs that name none; the runtime has no public name for it, and represents it by zeros.
    private static let anyExecutor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

    /// Ends what still pauses, so that nothing of this run is left when the next one begins.
    private func end() {
        isOver = true
        var rest = 100_000
        while rest > 0, step() { rest -= 1 }
    }

    private func mix(_ number: UInt64) { trace = (trace ^ number) &* 0x100_0000_01B3 }
}

/// Something that tasks on one thread share; unchecked because there is only one.
final class Box<Value>: @unchecked Sendable {
    var value: Value?
}
