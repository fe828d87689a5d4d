#if canImport(Combine)
public import Combine
#elseif OpenCombine
public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
import HoldfastStorage

/// The events of a channel.
public typealias HubPublisher = AnyPublisher<HubPayload, Never>

extension HubCategory {
    /// The events of a channel from the subscription on, as they are dispatched and on the dispatcher's thread.
    public func publisher(for channel: HubChannel) -> HubPublisher { subjects.publisher(for: channel) }
}

/// The subjects behind the publishers; they stay when the Hub is reset.
// Each subject locks itself; the table is protected by the mutex.
final class HubSubjects: @unchecked Sendable {
    private let subjects = Mutex<[HubChannel: Subject]>([:])

    // Immutable; the subject inside locks itself.
    private struct Subject: @unchecked Sendable {
        let events = PassthroughSubject<HubPayload, Never>()
    }

    func publisher(for channel: HubChannel) -> HubPublisher { subject(for: channel).events.eraseToAnyPublisher() }

    func send(_ payload: HubPayload, to channel: HubChannel) {
        subjects.withLock { $0[channel] }?.events.send(payload)
    }

    func isHeard(on channel: HubChannel) -> Bool { subjects.withLock { $0[channel] != nil } }

    private func subject(for channel: HubChannel) -> Subject {
        subjects.withLock { subjects in
            let subject = subjects[channel] ?? Subject()
            subjects[channel] = subject
            return subject
        }
    }
}
#endif
