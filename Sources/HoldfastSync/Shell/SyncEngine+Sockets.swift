import HoldfastStorage
import HoldfastWire

extension SyncEngine {
    /// Opens a socket, and runs it until it ends.
    func open(_ id: EffectID, _ socketID: SocketID, mode: Int) {
        let (client, models, scopes, mailbox) = (client, models, scopes, mailbox)
        sockets[socketID] = SocketDriver { frames in
            let socket: any RealtimeSocket
            do throws(ServiceFailure) {
                socket = try await client.connect(mode: mode)
            } catch {
                mailbox.yield(.socketOpened(id, .failure(error)))
                return
            }
            mailbox.yield(.socketOpened(id, .success(())))
            let reader = SocketReader(models: models, scopes: scopes)
            await withTaskCancellationHandler {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        await client.write(frames, to: socket, reader) { subscription, failure in
                            mailbox.yield(.frame(socketID, .error(subscription, failure)))
                        }
                    }
                    group.addTask {
                        while let text = try? await socket.next() {
                            if let frame = reader.frame(text) { mailbox.yield(.frame(socketID, frame)) }
                        }
                    }
                    // Whichever ends first ends the socket.
                    await group.next()
                    mailbox.yield(.socketLost(socketID))
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
    fileprivate func connect(mode: Int) async throws(ServiceFailure) -> any RealtimeSocket {
        let request = AuthorizedRequest(.socket, body: Array("{}".utf8))
        let headers = try await authorization.headers(mode, request)
        do throws(TransportError) {
            return try await transport.connect(RealtimeRequest(authorization: headers))
        } catch  where error.kind == .unauthorized {
            // A token may have ended its life meanwhile; another is tried once.
            guard let renewed = await authorization.renew(mode, request, headers) else { throw error.failure }
            do throws(TransportError) {
                return try await transport.connect(RealtimeRequest(authorization: renewed))
            } catch {
                throw error.failure
            }
        } catch {
            throw error.failure
        }
    }

    /// Sends frames until there are no more or the socket fails.
    ///
    /// - Parameter refuse: Is called with a subscription that nobody may start in its mode; the service need not be
    ///   asked.
    fileprivate func write(
        _ frames: AsyncStream<OutgoingFrame>, to socket: any RealtimeSocket, _ reader: SocketReader,
        refuse: @Sendable (SubscriptionID, ServiceFailure) -> Void
    ) async {
        for await frame in frames {
            do {
                guard let text = try await text(of: frame, reader) else { return }
                try await socket.send(text)
            } catch let failure as ServiceFailure {
                guard case .start(let id, _, _, _) = frame, case .unauthorized = failure else { return }
                refuse(id, failure)
            } catch {
                return
            }
        }
    }

    private func text(of frame: OutgoingFrame, _ reader: SocketReader) async throws -> [UInt8]? {
        switch frame {
        case .connectionInit: return ClientFrame.connectionInit.bytes
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
            reader.note(id, name)
            return ClientFrame.start(id: String(id.number), operation: start, authorization: headers).bytes
        }
    }
}
