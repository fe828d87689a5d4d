import HoldfastModel
import HoldfastStorage

/// The records that cannot be decoded: lists leave them out if there is a handler that they can be reported to.
final class UnreadableRecords: Sendable {
    private let report: (@Sendable (ModelError) -> Void)?
    /// The names of the models that have such records.
    private let models = Mutex<Set<String>>([])

    /// Creates them with ``DataStoreOptions/unreadableRecord``.
    init(_ report: (@Sendable (ModelError) -> Void)?) { self.report = report }

    /// Reads a list, and once more without the records that cannot be decoded if there are any.
    ///
    /// - Parameters:
    ///   - model: The name of the list's model.
    ///   - offset: Where the list begins. Where records before it may be left out, it is read so from the start.
    ///   - read: Reads the list, with or without such records.
    /// - Returns: The list.
    /// - Throws: What reading throws; ``ModelError`` `.decodingFailed` if there is no handler.
    func leavingOut<Result>(
        of model: String, offset: Int = 0, _ read: (_ hidesUnreadable: Bool) async throws -> Result
    ) async throws -> Result {
        if offset > 0, models.withLock({ $0.contains(model) }) { return try await read(true) }
        do {
            return try await read(false)
        } catch {
            guard let report, let unreadable = error as? ModelError, unreadable.kind == .decodingFailed else {
                throw error
            }
            models.withLock { _ = $0.insert(model) }
            report(unreadable)
            return try await read(true)
        }
    }
}
