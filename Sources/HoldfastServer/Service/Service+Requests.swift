import HoldfastGraphQL
import HoldfastStorage

extension Service {
    /// Answers a request.
    func respond(to request: ServerRequest) async -> ServerResponse {
        guard !request.body.isEmpty else {
            return ServerResponse(
                status: 400, type: "MalformedHttpRequestException", message: "Request body is empty.")
        }
        guard request.body.count <= options.limits.requestByteCount else {
            return .tooLarge(limit: options.limits.requestByteCount)
        }
        let identity: Identity
        do {
            identity = try await self.identity(of: Credentials(headers: request.headers, body: request.body))
        } catch {
            return ServerResponse(status: error.status, type: error.type, message: error.message)
        }
        guard let body = RequestBody(request.body) else {
            return ServerResponse(
                status: 400, type: "MalformedHttpRequestException", message: "Unable to parse GraphQL query.")
        }
        let prepared: PreparedOperation
        do {
            prepared = try PreparedOperation(body, in: self)
        } catch {
            switch error {
            case .invalid(let faults): return ServerResponse(body: ResponseWriter.refusal(faults))
            case .unnamed:
                return ServerResponse(status: 400, type: "BadRequestException", message: "Missing operation name.")
            }
        }
        guard prepared.operation.kind != .subscription else {
            return ServerResponse(
                status: 400, type: "BadRequestException", message: "Subscriptions over MQTT is not supported.")
        }
        // What follows an address, or fetches it before it is asked for, must not change records.
        guard prepared.operation.kind != .mutation || !request.isReadOnly else {
            var response = ServerResponse(
                status: 405, type: "BadRequestException", message: "A mutation must be sent with POST.")
            response.headers["allow"] = "POST"
            return response
        }
        var response = await RequestExecution(prepared, for: identity, in: self).respond()
        response.operation = RequestedOperation(prepared, in: schema)
        return response
    }

    /// Begins a connection for changes; one that is refused makes a frame that says why,
    /// and ends with the first frame of the client.
    func connect(with credentials: Credentials) async -> ServerConnection {
        do {
            let connection = ServerConnection(
                self, identity: try await identity(of: credentials), credentials: credentials)
            await connection.open()
            return connection
        } catch {
            let connection = ServerConnection(self, identity: nil)
            await connection.refuse(error)
            return connection
        }
    }

    /// Takes tombstones out of the store whose time has come, and most of the labels older than an hour.
    ///
    /// - Parameters:
    ///   - limit: How many are taken out at most in one commit.
    ///   - mayContinue: Whether another commit may follow.
    /// - Returns: How many tombstones were taken out.
    /// - Throws: ``StorageError`` of the store; what was taken out before stays so.
    func purgeTombstones(limit: Int, while mayContinue: () -> Bool) async throws(StorageError) -> Int {
        let now = now / 1000
        let pruning = LabelPruning(store: store, now: now)
        try await pruning.run(tombstoneLife: options.tombstoneSeconds, limit: limit, while: mayContinue)
        let purge = TombstonePurge(store: store, now: now)
        var count = 0
        for model in schema.models { count += try await purge.run(model, limit: limit, while: mayContinue) }
        return count
    }

    /// Gives every record a version above all that devices may have of it.
    func renewVersions() async throws(StorageError) -> Int {
        let count = try await VersionRenewal(store: store, now: now).run()
        try await labels.skipLostLabels()
        return count
    }
}
