/// The service's answer to a mutation.
enum MutationAnswer<Content: Sendable>: Sendable {
    /// It was carried out; this is the record now.
    case confirmed(Content)
    /// It was carried out and deletes the record, of which the answer shows nothing.
    case deleted
    /// The record has changed since; `nil` if the answer does not show it.
    case conflict(FoundRecord<Content>?)
    /// Its condition does not hold, or the record that it creates exists.
    case conditionFailed
    /// There is no usable answer.
    case failed(ServiceFailure)
}

extension MutationAnswer: Equatable where Content: Equatable {}
