import HoldfastEngine

/// What went wrong while a store is synchronized with a service.
public struct SyncProblem: Error, Sendable, Hashable {
    /// What kind of thing.
    public enum Kind: Sendable, Hashable {
        /// The store failed; it is tried again.
        case storeFailed
        /// The session ended until it is started again.
        case refused(SessionRefusal)
        /// The connection was lost; it is opened again.
        case disconnected
        /// Changes of a model are not received immediately; the model is still read by queries.
        case subscriptionFailed
        /// A change could not be read; a query will bring it.
        case unreadableChange
        /// A model could not be read; the others continue.
        case modelFailed
        /// A model has more records than the configured maximum.
        case truncated
        /// A page arrived with errors, or with records whose keys the store cannot keep; no record is removed because of
        /// it.
        case incompletePage
        /// A local change could not be sent; it is tried again.
        case mutationDelayed
        /// The service's schema lacks something that a local change names: the service may be older than the application.
        ///
        /// The change stays and waits. It is tried again after delays that grow up to an hour, and at the next start. A
        /// change is reported once in a session.
        case schemaMismatch
        /// A local change was given up and is a dead letter.
        case mutationRejected
        /// A start, stop, or clear failed.
        case commandFailed
        /// A refresh needs a session: it was not started, or has ended, or another process synchronizes the store.
        case notRunning
    }

    /// What kind of thing.
    public var kind: Kind
    /// What happened, in words; no values of records.
    public var reason: String
    /// The model's name, if it is about one.
    public var model: String?
    /// The service's word for the error, such as `Unauthorized`, if it has one.
    public var errorType: String?
    /// The service's own words, if it has some.
    ///
    /// They may quote values of records; do not log them.
    public var serviceMessage: String?
    /// The time until the next attempt; `nil` if there is none.
    public var retryAfter: Duration?
    /// The position in the outbox of the change that it is about; also that of its dead letter.
    public var position: Int64?

    /// Creates a problem.
    public init(
        _ kind: Kind, _ reason: String, model: String? = nil, errorType: String? = nil, serviceMessage: String? = nil,
        retryAfter: Duration? = nil, position: Int64? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.model = model
        self.errorType = errorType
        self.serviceMessage = serviceMessage
        self.retryAfter = retryAfter
        self.position = position
    }
}

extension SyncProblem: CustomStringConvertible, CustomDebugStringConvertible {
    /// The reason and the service's word for the error; not ``serviceMessage``, which may contain values.
    public var description: String { errorType.map { "\(reason) (\($0))" } ?? reason }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension SyncProblem {
    init(
        _ kind: Kind, _ failure: ServiceFailure, model: String? = nil, retryAfter: Duration? = nil,
        position: Int64? = nil
    ) {
        self.init(
            kind, failure.words, model: model, errorType: failure.errorType, serviceMessage: failure.serviceMessage,
            retryAfter: retryAfter, position: position)
    }

    package init(_ report: SyncReport) {
        switch report {
        case .store(let failure): self.init(.storeFailed, failure.words)
        case .refused(let refusal): self.init(.refused(refusal), refusal.words)
        case .socket(let failure, let retry):
            self.init(
                .disconnected, failure?.words ?? "The connection was lost.", errorType: failure?.errorType,
                serviceMessage: failure?.serviceMessage, retryAfter: retry)
        case .subscription(let model, let operation, let failure):
            self.init(
                .subscriptionFailed,
                "The subscription \(operation.rawValue)\(model) failed: \(failure?.words ?? "it was not confirmed.")",
                model: model, errorType: failure?.errorType, serviceMessage: failure?.serviceMessage)
        case .unreadable(let model, let words): self.init(.unreadableChange, words, model: model)
        case .model(let model, let failure, let retry):
            self.init(.modelFailed, failure, model: model, retryAfter: retry)
        case .truncated(let model):
            self.init(
                .truncated, "'\(model)' has more records than syncMaxRecords allows; the rest was not read.",
                model: model)
        case .incompletePage(let model):
            self.init(.incompletePage, "A page of '\(model)' came with errors or unreadable records.", model: model)
        case .unkept(let model, let count):
            self.init(
                .incompletePage, "The keys of \(count) records of '\(model)' are too long for the store.", model: model)
        case .mutation(let id, let failure, let retry):
            let kind: Kind = if case .schemaMismatch = failure { .schemaMismatch } else { .mutationDelayed }
            self.init(kind, failure, model: id.model, retryAfter: retry, position: id.position)
        case .dead(let id, .rejected(let type, let message)):
            self.init(
                .mutationRejected, .rejected(type: type, message: message), model: id.model, position: id.position)
        case .dead(let id, let reason):
            self.init(
                .mutationRejected, reason.message, model: id.model, errorType: reason.errorType,
                position: id.position)
        }
    }
}

extension SessionRefusal {
    var words: String {
        switch self {
        case .otherUser:
            "The outbox has changes of another user; send them as that user, or clear the store."
        case .signedOut: "No one is signed in; sign in, then start again."
        case .unauthorized: "The service accepts the credentials of no mode; fix them, then start again."
        }
    }
}

extension StoreFailure {
    var words: String {
        switch self {
        case .fenceLost: "Another process synchronizes the store, or it was cleared."
        case .failed(let words): words
        }
    }
}

extension ServiceFailure {
    var words: String {
        switch self {
        case .unknown: "The service gave no usable answer."
        case .tooLong(let reason): "An answer was not read: \(reason)."
        case .unsent: "The service cannot be reached."
        case .unauthorized(true): "No one is signed in."
        case .notOffered, .unauthorized(false): "The service does not authorize it."
        case .unauthenticated: "The service does not accept the credentials."
        case .schemaMismatch: "The service's schema lacks something that it names."
        case .rejected: "The service refuses it."
        }
    }

    var serviceMessage: String? {
        switch self {
        case .schemaMismatch(let message), .rejected(_, let message): message
        case .unknown, .tooLong, .unsent, .notOffered, .unauthorized, .unauthenticated: nil
        }
    }

    var errorType: String? {
        switch self {
        case .unknown, .tooLong, .unsent, .schemaMismatch: nil
        case .notOffered, .unauthorized: "Unauthorized"
        case .unauthenticated: "UnauthorizedException"
        case .rejected(let type, _): type.isEmpty ? nil : type
        }
    }
}
