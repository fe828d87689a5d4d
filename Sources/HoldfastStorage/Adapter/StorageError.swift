/// Why an operation on a store failed, what state it left, and what to do.
///
/// `message` and `description` contain names of entities and fields, never values, keys or SQL arguments; those
/// are in `nativeDetail` at most, which only `debugDescription` shows. Equal if kind, state and position are.
///
/// ```swift
/// do {
///     let put = WriteOperation.put(entity: "Book", rows: row, mode: .insert)
///     _ = try await store.commit(CommitRequest(operations: [put]))
/// } catch {
///     wasThere = error.kind == .preconditionFailed  // nothing was changed: `error.transaction` says so
/// }
/// ```
public struct StorageError: Error, Sendable {
    /// The reason for a failure; each of `allCases` is explained under its string in `docs/errors.md`.
    public struct Kind: RawRepresentable, Sendable, Hashable, CaseIterable {
        /// The stable string, `storage.` and the kind's name.
        public let rawValue: String

        /// Creates a kind from its string.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Whether trying again can help.
    public enum Retry: Sendable, Hashable {
        /// The same request will fail again.
        case never
        /// It can succeed at once, once re-read state is taken into account.
        case immediately
        /// It can succeed after a pause.
        case afterBackoff
    }

    /// What became of the work that failed.
    public enum TransactionState: Sendable, Hashable {
        /// Nothing was changed, nothing was begun.
        case untouched
        /// Begun and undone as a whole.
        case rolledBack
        /// It may or may not have been applied.
        case outcomeUnknown
    }

    /// A part of a commit request, by its index.
    public enum Position: Sendable, Hashable {
        /// One of ``CommitRequest/preconditions``.
        case precondition(Int)
        /// One of ``CommitRequest/operations``.
        case operation(Int)
    }

    /// The reason.
    public var kind: Kind
    /// What is wrong and what to do, in a sentence without values.
    public var message: String
    /// Whether trying again can help.
    public var retry: Retry
    /// What became of the work.
    public var transaction: TransactionState
    /// The part of the commit request that failed.
    public var position: Position?
    /// The driver's own code, such as `SQLITE_FULL (13)`.
    public var nativeCode: String?
    /// The driver's own words; may contain values, so it is left out of `description`.
    public var nativeDetail: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - kind: The reason.
    ///   - message: What is wrong and what to do; names only, no values.
    ///   - retry: The kind's usual advice by default.
    ///   - transaction: `.untouched` by default.
    ///   - position: The failed precondition or operation.
    ///   - nativeCode: The driver's code.
    ///   - nativeDetail: The driver's words.
    public init(
        _ kind: Kind, _ message: String, retry: Retry? = nil, transaction: TransactionState = .untouched,
        position: Position? = nil, nativeCode: String? = nil, nativeDetail: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.retry = retry ?? kind.usualRetry
        self.transaction = transaction
        self.position = position
        self.nativeCode = nativeCode
        self.nativeDetail = nativeDetail
    }
}

extension StorageError: Equatable {
    /// Whether kind, state and position agree.
    public static func == (left: StorageError, right: StorageError) -> Bool {
        left.kind == right.kind && left.transaction == right.transaction && left.position == right.position
    }
}

extension StorageError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind, the message and the native code; no values.
    public var description: String {
        "\(kind.rawValue): \(message)" + (nativeCode.map { " [\($0)]" } ?? "")
    }

    /// Everything, also the driver's words.
    public var debugDescription: String {
        description + " (retry: \(retry), transaction: \(transaction)"
            + (position.map { ", position: \($0)" } ?? "") + (nativeDetail.map { ", native: \($0)" } ?? "") + ")"
    }
}
