/// What the service has of a record whose mutation is uncertain.
enum CheckAnswer<Content: Sendable>: Sendable {
    /// No record.
    case absent
    /// A record, and how it compares with the mutation.
    case found(FoundRecord<Content>, CheckFindings)
    /// There is no usable answer.
    case failed(ServiceFailure)
}

extension CheckAnswer: Equatable where Content: Equatable {}
