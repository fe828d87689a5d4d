import HoldfastStorage

/// A line of a scripted scenario.
public enum ScriptLine: Sendable, Hashable {
    /// Something happens.
    case happens(Scenario.Action)
    /// Time passes.
    case passes(Duration)
}

/// Time that passes in a script, before the lines after it.
public struct Pause: Sendable, Hashable {
    /// How much.
    public let duration: Duration

    /// A pause; at least a millisecond.
    public init(_ duration: Duration) { self.duration = duration }
}

/// Collects the lines of a script.
@resultBuilder public enum ScriptBuilder {
    /// A line.
    public static func buildExpression(_ line: ScriptLine) -> [ScriptLine] { [line] }
    /// A pause.
    public static func buildExpression(_ pause: Pause) -> [ScriptLine] { [.passes(pause.duration)] }
    /// Anything that can happen in a scenario.
    public static func buildExpression(_ action: Scenario.Action) -> [ScriptLine] { [.happens(action)] }
    /// The lines one after the other.
    public static func buildBlock(_ lines: [ScriptLine]...) -> [ScriptLine] { lines.flatMap { $0 } }
    /// The lines of each turn of a loop.
    public static func buildArray(_ lines: [[ScriptLine]]) -> [ScriptLine] { lines.flatMap { $0 } }
    /// The lines of a condition that holds.
    public static func buildOptional(_ lines: [ScriptLine]?) -> [ScriptLine] { lines ?? [] }
    /// The lines of the first branch.
    public static func buildEither(first lines: [ScriptLine]) -> [ScriptLine] { lines }
    /// The lines of the second branch.
    public static func buildEither(second lines: [ScriptLine]) -> [ScriptLine] { lines }
}

extension Scenario {
    /// Creates a scenario from a script.
    ///
    /// The devices keep their records in memory, and synchronize from the start. After the script all faults end, and
    /// everything must be synchronized. ``Device`` has an example.
    ///
    /// - Parameters:
    ///   - seed: Decides the order of all jobs and how long everything takes; another one tries the same script with
    ///     another order.
    ///   - strategy: How the service deals with conflicts.
    ///   - handler: What the conflict handlers of the devices say.
    ///   - devices: How many devices there are.
    ///   - servers: How many processes the service has.
    ///   - script: What happens, line by line; lines without a ``Pause`` between them happen at the same time.
    public init(
        seed: UInt64 = 1, strategy: Strategy = .automerge, handler: Handler = .applyRemote, devices: Int,
        servers: Int = 1, @ScriptBuilder script: () -> [ScriptLine]
    ) {
        self.init(
            seed: seed, strategy: strategy,
            clients: (0..<devices).map { _ in Client(storage: Scenario.memory, handler: handler, clockError: 0) },
            servers: servers, steps: [])
        steps = (0..<devices).map { Step(id: $0, at: 0, action: .command(client: $0, .start)) }
        var time: Int64 = 0
        for line in script() {
            switch line {
            case .happens(let action): steps.append(Step(id: steps.count, at: time, action: action))
            case .passes(let duration): time += max(1, duration.microseconds / 1_000)
            }
        }
    }
}
