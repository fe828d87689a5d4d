/// What the service has of a record whose mutation is uncertain.
enum CheckAnswer<Content: Sendable>: Sendable {
    /// No record.
    case absent
    /// A record: whether its version is above the one that the mutation builds on, whether it has all that was sent,
    /// whether it shows that the service has merged the mutation, and whether it was created after the record that the
    /// mutation builds on was forgotten, and has the same version by chance.
    case found(
        FoundRecord<Content>, isAboveBase: Bool, equalsSent: Bool, isMerged: Bool = false, isOtherLife: Bool = false)
    /// There is no usable answer.
    case failed(ServiceFailure)
}

extension CheckAnswer: Equatable where Content: Equatable {}
