import HoldfastStorage
import HoldfastWire

extension SyncEngine {
    /// Opens a socket, and runs it until it ends.
    func open(_ id: EffectID, _ socketID: SocketID, mode: Int) {
        let (client, models, scopes, mailbox, renewal) = (client, models, scopes, mailbox, socketRenewal)
        let identify: @Sendable () async -> Void = { [identity, modelsOfGroups] in
            guard !modelsOfGroups.isEmpty else { return }
            do {
                let found = try await client.authorization.readIdentity(of: identity, for: modelsOfGroups)
                mailbox.yield(.identified(socketID, identity: found))
            } catch {
                // The models are read as before, and it is asked for again with the next socket.
            }
        }
        sockets[socketID] = SocketDriver { frames in
            // Since the last one there may be another token, which says other groups.
            await identify()
            let (socket, headers): (any RealtimeSocket, AuthHeaders)
            do throws(ServiceFailure) {
                (socket, headers) = try await client.connect(mode: mode)
            } catch {
                mailbox.yield(.socketOpened(id, .failure(error)))
                return
            }
            mailbox.yield(.socketOpened(id, .success(())))
            let reader = SocketReader(models: models, scopes: scopes)
            await withTaskCancellationHandler {
                await withTaskGroup(of: ServiceFailure?.self) { group in
                    group.addTask {
                        await client.write(frames, to: socket, reader) { subscription, failure in
                            mailbox.yield(.frame(socketID, .error(subscription, failure)))
                        }
                        return nil
                    }
                    group.addTask {
                        do throws(TransportError) {
                            while let text = try await socket.next() {
                                guard let frame = reader.frame(text) else { continue }
                                let judged = await client.judge(frame, reader, mode: mode, headers, renewal)
                                // This happens when a token has expired and another one is used.
                                if case .error = judged { await identify() }
                                mailbox.yield(.frame(socketID, judged))
                            }
                            return nil
                        } catch {
                            return error.failure
                        }
                    }
                    // Whichever ends first ends the socket.
                    let failure: ServiceFailure? = await group.next() ?? nil
                    mailbox.yield(.socketLost(socketID, failure))
                    await socket.close()
                    group.cancelAll()
                }
            } onCancel: {
                Task { await socket.close() }
            }
        }
    }
}

extension ServiceClient {
    fileprivate func connect(
        mode: Int
    ) async throws(ServiceFailure) -> (socket: any RealtimeSocket, headers: AuthHeaders) {
        let request = AuthorizedRequest.openingSocket
        let headers = try await authorization.headers(mode, request)
        do throws(ServiceFailure) {
            return (try await connect(headers), headers)
        } catch .unauthorized {
            // A token may have expired meanwhile; another is tried once.
            guard let renewed = try await authorization.headers(insteadOf: headers, mode, request) else {
                throw .unauthorized(isSignedOut: false)
            }
            return (try await connect(renewed), renewed)
        }
    }

    private func connect(_ headers: AuthHeaders) async throws(ServiceFailure) -> any RealtimeSocket {
        do throws(TransportError) {
            return try await transport.connect(RealtimeRequest(authorization: headers))
        } catch {
            throw error.failure
        }
    }

    /// A frame as the core should see it: a refusal does not count if there are other headers to try, or if that cannot
    /// be said now.
    fileprivate func judge(
        _ frame: IncomingFrame<SyncContent>, _ reader: SocketReader, mode: Int, _ headers: AuthHeaders,
        _ renewal: SocketRenewal
    ) async -> IncomingFrame<SyncContent> {
        switch frame {
        case .connectionAck: renewal.reset()
        case .connectionError(.unauthorized):
            guard renewal.take(insteadOf: headers) else { break }
            do {
                if try await authorization.renew(mode, .openingSocket, headers) == nil { break }
            } catch {
                // No other headers were tried.
                renewal.reset()
            }
            return .connectionError(.unknown(retryAfter: nil))
        case .startAck(let id): reader.allowRenewal(of: id)
        case .error(let id, .unauthorized):
            guard let refused = reader.takeRefused(id), let model = reader.models[refused.use.model] else { break }
            let request = AuthorizedRequest(.subscription, body: [], model: model.wire)
            do {
                if try await authorization.renew(refused.use.mode, request, refused.headers) == nil { break }
            } catch {
                // No other headers were tried. It is tried again like after other failures.
                reader.allowRenewal(of: id)
            }
            return .error(id, .unknown(retryAfter: nil))
        default: break
        }
        return frame
    }

    /// Sends frames until there are no more or the socket fails.
    ///
    /// - Parameters:
    ///   - frames: The frames to send.
    ///   - socket: The socket that sends them.
    ///   - reader: The reader of the same socket.
    ///   - refuse: Is called with a subscription that has no headers in its mode, so that the others are started.
    fileprivate func write(
        _ frames: AsyncStream<OutgoingFrame>, to socket: any RealtimeSocket, _ reader: SocketReader,
        refuse: @Sendable (SubscriptionID, ServiceFailure) -> Void
    ) async {
        for await frame in frames {
            do {
                guard let text = try await text(of: frame, reader) else { return }
                try await socket.send(text)
            } catch let failure as ServiceFailure {
                guard case .start(let id, _, _, _) = frame else { return }
                refuse(id, failure)
            } catch {
                return
            }
        }
    }

    private func text(of frame: OutgoingFrame, _ reader: SocketReader) async throws -> [UInt8]? {
        switch frame {
        case .connectionInit: return ClientFrame.connectionInit.bytes
        case .stop(let id): return ClientFrame.stop(id: String(id.number)).bytes
        case .start(let id, let name, let operation, let mode):
            guard let model = reader.models[name] else { return nil }
            let mutation: WireMutation =
                switch operation {
                case .onCreate: .create
                case .onUpdate: .update
                case .onDelete: .delete
                }
            let start = model.wire.subscription(to: mutation, owners: await authorization.owners(mode, model.wire))
            let headers = try await authorization.headers(
                mode, AuthorizedRequest(.subscription, body: start.body, model: model.wire))
            let use = StartedSubscription.Use(model: name, operation: operation, mode: mode)
            reader.note(id, StartedSubscription(use: use, headers: headers))
            return ClientFrame.start(id: String(id.number), operation: start, authorization: headers).bytes
        }
    }
}
