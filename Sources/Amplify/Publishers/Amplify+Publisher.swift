#if canImport(Combine)
    public import Combine
#elseif OpenCombine
    public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
    extension Amplify {
        /// Publishers of what is async.
        public enum Publisher {
            /// A publisher of the result of an operation, which begins with the first subscription.
            ///
            /// Cancelling the subscription cancels the operation.
            @preconcurrency public static func create<Success: Sendable>(
                _ operation: @escaping @Sendable () async throws -> Success
            ) -> AnyPublisher<Success, any Error> {
                Deferred {
                    let subject = CurrentValueSubject<Success?, any Error>(nil)
                    let sent = SubjectBox(subject)
                    let task = Task {
                        do {
                            sent.subject.send(try await operation())
                            sent.subject.send(completion: .finished)
                        } catch {
                            sent.subject.send(completion: .failure(error))
                        }
                    }
                    return subject.compactMap { $0 }.handleEvents(receiveCancel: { task.cancel() })
                }
                .eraseToAnyPublisher()
            }

            /// A publisher of the result of an operation that cannot fail; otherwise as `create` of one that can.
            @preconcurrency public static func create<Success: Sendable>(
                _ operation: @escaping @Sendable () async -> Success
            ) -> AnyPublisher<Success, Never> {
                Deferred {
                    let subject = CurrentValueSubject<Success?, Never>(nil)
                    let sent = SubjectBox(subject)
                    let task = Task {
                        sent.subject.send(await operation())
                        sent.subject.send(completion: .finished)
                    }
                    return subject.compactMap { $0 }.handleEvents(receiveCancel: { task.cancel() })
                }
                .eraseToAnyPublisher()
            }

            /// A publisher of a sequence's elements from the subscription on.
            ///
            /// Cancelling the subscription cancels a sequence that can be cancelled.
            public static func create<Sequence: AsyncSequence & Sendable>(
                _ sequence: Sequence
            ) -> AnyPublisher<Sequence.Element, any Error> where Sequence.Element: Sendable {
                Deferred {
                    let subject = PassthroughSubject<Sequence.Element, any Error>()
                    let sent = SubjectBox(subject)
                    let task = Task {
                        do {
                            for try await element in sequence { sent.subject.send(element) }
                            sent.subject.send(completion: .finished)
                        } catch {
                            sent.subject.send(completion: .failure(error))
                        }
                    }
                    return subject.handleEvents(receiveCancel: {
                        task.cancel()
                        (sequence as? any Cancellable)?.cancel()
                    })
                }
                .eraseToAnyPublisher()
            }
        }
    }

    /// A subject that one task sends to.
    // Immutable; the subject inside locks itself.
    struct SubjectBox<Sent: AnyObject>: @unchecked Sendable {
        let subject: Sent

        init(_ subject: Sent) { self.subject = subject }
    }

    extension DataStoreCategory {
        /// The changes of a model's records from now on, until the subscription is cancelled.
        public func publisher<M: Model>(for modelType: M.Type) -> AnyPublisher<MutationEvent, DataStoreError> {
            Amplify.Publisher.create(observe(modelType))
                .mapError { DataStoreError(error: $0) }
                .eraseToAnyPublisher()
        }
    }

    extension DataStoreCategoryPlugin {
        /// The changes of a model's records from now on, until the subscription is cancelled.
        public func publisher<M: Model>(for modelType: M.Type) -> AnyPublisher<MutationEvent, DataStoreError> {
            Amplify.Publisher.create(observe(modelType))
                .mapError { DataStoreError(error: $0) }
                .eraseToAnyPublisher()
        }
    }
#endif
