/// What the service has of a record whose mutation is uncertain.
enum CheckAnswer<Content: Sendable>: Sendable {
    /// No record.
    case absent
    /// A record.
    case found(FoundRecord<Content>, isAboveBase: Bool, equalsSent: Bool)
    /// There is no usable answer.
    case failed(ServiceFailure)
}

extension CheckAnswer: Equatable where Content: Equatable {}
