/// What the service has of a record whose mutation is uncertain.
enum CheckAnswer<Content: Sendable>: Sendable {
    /// No record.
    case absent
    /// A record: whether its version is above the one that the mutation builds on, whether it has all that was sent, and
    /// whether it shows that the service has merged the mutation.
    case found(FoundRecord<Content>, isAboveBase: Bool, equalsSent: Bool, isMerged: Bool = false)
    /// There is no usable answer.
    case failed(ServiceFailure)
}

extension CheckAnswer: Equatable where Content: Equatable {}
