import HoldfastServer
import HoldfastStorage
import HoldfastWire

/// A function that decides conflicts now one way and now another, as a function that an application wrote might.
///
/// What it decides depends on the seed and on the versions that meet, so that a repeated question has the same answer;
/// that it fails does not last.
///
/// Unchecked because everything happens on one thread.
final class SimulatedConflictFunction: @unchecked Sendable {
    private let seed: UInt64
    private let schema: SimulatedSchema
    private let pause: @Sendable (Duration) async -> Void
    private var calls: UInt64 = 0

    private struct Failure: Error {}

    /// Creates a function.
    ///
    /// - Parameters:
    ///   - seed: The seed of the run.
    ///   - schema: The models.
    ///   - pause: Takes some time.
    init(seed: UInt64, schema: SimulatedSchema, pause: @escaping @Sendable (Duration) async -> Void) {
        self.seed = seed
        self.schema = schema
        self.pause = pause
    }

    /// Decides a conflict.
    ///
    /// - Parameter request: The conflict.
    /// - Returns: A refusal, or a record in which one of the two is preferred.
    /// - Throws: An error now and then.
    func resolution(_ request: ConflictRequest) async throws -> ConflictResolution {
        var number: UInt64 = 0
        for byte in "\(request.model) \(request.arguments) \(request.existingItem["_version"] ?? .null)".utf8 {
            number = number &* 31 &+ UInt64(byte)
        }
        var random = SplitMix64(seed: seed, number)
        await pause(.milliseconds(random.number(in: 0...300)))
        calls += 1
        var failures = SplitMix64(seed: seed, calls)
        if failures.chance(10) { throw Failure() }
        if random.chance(30) { return .reject }
        let isDeletion = request.field.hasPrefix("delete")
        if random.chance(50) { return isDeletion ? .remove : .resolve(request.newItem) }
        if isDeletion { return .resolve(request.existingItem) }
        // Fields that have values keep them, all fields of a key together: half of one leads to a record that does not exist.
        var item = request.newItem
        let groups = schema.model(request.model)?.jointFields ?? []
        for member in request.existingItem.members where member.value != .null {
            for name in groups.first(where: { $0.contains(member.name) }) ?? [member.name] {
                item[name] = request.existingItem[name]
            }
        }
        return .resolve(item)
    }
}
