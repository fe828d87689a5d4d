import HoldfastServer
import HoldfastStorage
import HoldfastSync
import HoldfastWire

/// What is between one client and the service.
///
/// Unchecked because everything happens on one thread.
final class SimulatedNetwork: SyncTransport, @unchecked Sendable {
    let client: Int
    private let service: SimulatedService
    private let simulator: Simulator
    private let note: PlaceNotes
    private let seed: UInt64
    private var requests: UInt64 = 0
    private var faults: [(fault: Scenario.RequestFault, count: Int)] = []
    private var refusesSockets = false
    private var blocksSockets = false
    private var sockets: [SimulatedSocket] = []
    /// What the next events meet, one after the other.
    private var eventFaults: [Scenario.SocketFault] = []
    /// Counts the times that the network went away: an answer to an earlier time is lost.
    private var age = 0
    /// Whether there is a network.
    private(set) var isUp = true
    /// Whether there are open sockets.
    var hasSockets: Bool { sockets.contains { !$0.isClosed && !$0.isHalfOpen } }
    /// Whether records were missing in the pages of a base query, or could not be read.
    private(set) var hidesRecords = false
    /// Whether an event was lost on an open socket.
    private(set) var losesEvents = false
    /// Whether a request was refused after the user had changed: the client must not show the new one what was read for
    /// another.
    private(set) var hasRefusedNewUser = false
    /// The bodies of mutations that the service carried out, and of those that it may have.
    let mutationLog: MutationLog
    /// Says whether the tokens of requests are still good.
    private let provider: SimulatedProvider

    /// How many events meet a fault: some, so that the one that matters is probably among them.
    private static let eventsOfFault = 3
    /// How long a client waits for an answer.
    private static let timeout = Duration.seconds(30)

    init(
        client: Int, service: SimulatedService, simulator: Simulator, seed: UInt64, mutationLog: MutationLog,
        provider: SimulatedProvider, note: PlaceNotes
    ) {
        self.client = client
        self.service = service
        self.simulator = simulator
        self.note = note
        self.mutationLog = mutationLog
        self.provider = provider
        self.seed = SplitMix64.number(seed, 0x4E45_5457, UInt64(client))
    }

    // MARK: - What the scenario does to it

    func add(_ fault: Scenario.RequestFault, count: Int) { faults.append((fault, count)) }

    func setUp(_ isUp: Bool) async {
        self.isUp = isUp
        if !isUp {
            age += 1
            blocksSockets = false
            await cut()
        }
    }

    func apply(_ fault: Scenario.SocketFault) async {
        switch fault {
        case .cut: await cut()
        case .halfOpen: for socket in sockets { socket.isHalfOpen = true }
        case .refused:
            refusesSockets = true
            await cut()
        case .blocked:
            blocksSockets = true
            await cut()
        case .eventTwice, .eventsSwapped, .eventLost:
            eventFaults += Array(repeating: fault, count: Self.eventsOfFault)
        }
    }

    /// What a frame meets.
    ///
    /// Only events meet faults: a socket on which other frames are lost counts as cut.
    private func eventFault(of frame: [UInt8]) -> Scenario.SocketFault? {
        guard !eventFaults.isEmpty, MessageText.event(frame) != nil else { return nil }
        let fault = eventFaults.removeFirst()
        losesEvents = losesEvents || fault == .eventLost
        note("event meets \(fault.rawValue)", .fault)
        return fault
    }

    /// Ends the sockets, or those to one process.
    func cut(to server: Int? = nil) async {
        for socket in sockets where server == nil || socket.server == server { await socket.close() }
        sockets.removeAll { $0.isClosed }
    }

    /// Ends all faults, except that a network without sockets stays so: the client must do without them.
    func endFaults() {
        faults = []
        eventFaults = []
        refusesSockets = false
        isUp = true
    }

    // MARK: - Requests

    func send(_ request: WireRequest) async throws(TransportError) -> WireResponse {
        guard isUp else { throw TransportError(.unsent, "there is no network") }
        let trip = RoundTrip(sentAt: simulator.now)
        do throws(TransportError) {
            let response = try await carry(request, trip)
            show(request, response, trip)
            return response
        } catch {
            show(request, nil, trip)
            throw error
        }
    }

    private func carry(_ request: WireRequest, _ trip: RoundTrip) async throws(TransportError) -> WireResponse {
        requests += 1
        var random = SplitMix64(seed: seed, requests)
        let fault = nextFault(of: request.body)
        if let fault { note("request \(requests) meets \(fault.rawValue)", .fault) }
        let started = age
        let before = latency(&random)
        let after = latency(&random)
        try await pause(before)
        trip.arrivesAt = simulator.now
        if started != age { throw TransportError(.lost, "the connection was closed") }
        let response = try await response(to: request, trip, fault, after, &random)
        try await pause(after)
        if started != age { throw TransportError(.lost, "the connection was closed") }
        return response
    }

    /// What becomes of a request that has arrived, or would have.
    private func response(
        to request: WireRequest, _ trip: RoundTrip, _ fault: Scenario.RequestFault?, _ after: Duration,
        _ random: inout SplitMix64
    ) async throws(TransportError) -> WireResponse {
        switch fault {
        case .lost:
            try await pause(Self.timeout)
            throw TransportError(.lost, "there was no answer in time")
        case .late:
            trip.isLate = true
            let delay = Duration.seconds(random.number(in: 1...40))
            Task {
                try? await simulator.sleep(Self.timeout + delay - .seconds(5))
                _ = await self.deliver(request, trip)
            }
            try await pause(Self.timeout)
            throw TransportError(.lost, "there was no answer in time")
        case .answerLost:
            _ = await deliver(request, trip)
            try await pause(after)
            throw TransportError(.lost, "the connection was closed")
        case .twice:
            async let first = deliver(request, trip)
            try await pause(after)
            let second = await deliver(request, trip)
            let answer = random.chance(50) ? second : await first
            return answer ?? WireResponse(status: 502, body: [])
        case .slow:
            try await pause(.seconds(random.number(in: 1...25)))
            return try await answer(request, trip)
        case .status401: return refusal(401)
        case .status403:
            hasRefusedNewUser = hasRefusedNewUser || provider.users.count > 1
            return refusal(403)
        case .status429:
            var refused = refusal(429)
            refused.retryAfter = .seconds(random.number(in: 0...20))
            return refused
        case .status500: return refusal(500)
        case .status503: return refusal(503)
        case .garbage: return WireResponse(status: 200, body: Array("<html>".utf8))
        case .empty: return WireResponse(status: 200, body: Array("{\"data\":null}".utf8))
        case .answerSlow:
            let response = try await answer(request, trip)
            try await pause(.seconds(random.number(in: 1...25)))
            return response
        case .partial, .damaged:
            let answer = try await answer(request, trip)
            let body = fault == .partial ? Self.partial(answer.body) : Self.damaged(answer.body)
            guard let body else { return answer }
            note("a record is \(fault == .partial ? "missing in the page" : "damaged")", .fault)
            // A client that asks again for what changed since then receives it.
            hidesRecords = hidesRecords || fault == .damaged || !Self.isDelta(request.body, answer.body)
            return WireResponse(status: answer.status, body: body)
        case nil: return try await answer(request, trip)
        }
    }

    private func answer(
        _ request: WireRequest, _ trip: RoundTrip
    ) async throws(TransportError) -> WireResponse {
        // What was sent arrives even if the client gives up waiting.
        guard let response = await Task(operation: { await self.deliver(request, trip) }).value else {
            throw TransportError(.lost, "the connection was closed")
        }
        return response
    }

    /// Gives a request to the service; `nil` if no process answers.
    private func deliver(_ request: WireRequest, _ trip: RoundTrip) async -> WireResponse? {
        guard let (number, server) = service.server(for: client) else { return nil }
        trip.server = number
        guard provider.accepts(request.authorization) else { return refusal(401) }
        note.notes.message(
            .request, from: note.place, to: .server(number), sentAt: trip.sentAt, arrivedAt: simulator.now,
            MessageText.request(request.body))
        let response = await server.respond(
            to: ServerRequest(headers: request.authorization.byLowerCaseName, body: request.body))
        let user = request.authorization.byLowerCaseName["x-user"]
        for problem in mutationLog.add(request.body, response.body, of: client, user: user) {
            note.violation(problem)
        }
        guard service.isRunning(number, server) else { return nil }
        trip.answeredAt = simulator.now
        return WireResponse(status: response.status, body: response.body)
    }

    /// Shows in a diagram what the service did not see of a request, and its answer; `nil` if there was none in time.
    private func show(_ request: WireRequest, _ response: WireResponse?, _ trip: RoundTrip) {
        let server = RunPlace.server(trip.server ?? service.server(for: client)?.number ?? 0)
        if trip.server == nil, !trip.isLate {
            note.notes.message(
                .request, from: note.place, to: server, sentAt: trip.sentAt,
                arrivedAt: response == nil ? nil : trip.arrivesAt, MessageText.request(request.body))
        }
        guard let start = trip.answeredAt ?? (response == nil ? nil : trip.arrivesAt) else { return }
        note.notes.message(
            .answer, from: server, to: note.place, sentAt: start, arrivedAt: response == nil ? nil : simulator.now,
            response.map(MessageText.answer) ?? "answer")
    }

    /// A page without its first record, and with an error instead; `nil` if the answer is not a page with records.
    private static func partial(_ body: [UInt8]) -> [UInt8]? {
        guard var answer = try? WireValue(parsing: body).object, var data = answer["data"]?.object,
            let field = data.members.first, var page = field.value.object, let items = page["items"]?.array,
            !items.isEmpty
        else { return nil }
        page["items"] = .array(Array(items.dropFirst()))
        data[field.name] = .object(page)
        answer["data"] = .object(data)
        answer["errors"] = [["message": "A record cannot be read.", "path": [.string(field.name), "items", 0]]]
        return WireValue.object(answer).bytes
    }

    /// The page with an object instead of a text in its first record; `nil` if there is no such text, or if the
    /// answer is not a page.
    private static func damaged(_ body: [UInt8]) -> [UInt8]? {
        guard var answer = try? WireValue(parsing: body).object, var data = answer["data"]?.object,
            let field = data.members.first, var page = field.value.object, var items = page["items"]?.array,
            var item = items.first?.object, item["_deleted"]?.boolean != true,
            // The key is the first of them.
            let text = item.members.dropFirst().first(where: { $0.value.string != nil && !$0.name.hasPrefix("_") })
        else { return nil }
        item[text.name] = .object(JSONObject())
        items[0] = .object(item)
        page["items"] = .array(items)
        data[field.name] = .object(page)
        answer["data"] = .object(data)
        return WireValue.object(answer).bytes
    }

    /// Whether a page has only what changed since a time.
    private static func isDelta(_ request: [UInt8], _ response: [UInt8]) -> Bool {
        guard let request = try? WireValue(parsing: request), let response = try? WireValue(parsing: response) else {
            return false
        }
        return request["variables"]?["lastSync"]?.integer ?? 0 > 0
            && response["extensions"]?["baseQueries"]?.array?.isEmpty != false
    }

    private func nextFault(of body: [UInt8]) -> Scenario.RequestFault? {
        if faults.isEmpty { return nil }
        // Only a page can lack a record, and pages are rare.
        let isPage = String(decoding: body, as: UTF8.self).contains("query Sync")
        guard let index = faults.firstIndex(where: { ![.partial, .damaged].contains($0.fault) || isPage }) else {
            return nil
        }
        let fault = faults[index].fault
        faults[index].count -= 1
        if faults[index].count <= 0 { faults.remove(at: index) }
        return fault
    }

    private func refusal(_ status: Int) -> WireResponse {
        WireResponse(status: status, body: Array("{\"errors\":[{\"errorType\":\"HTTP\",\"message\":\"no\"}]}".utf8))
    }

    private func latency(_ random: inout SplitMix64) -> Duration {
        .milliseconds(random.chance(90) ? random.number(in: 1...60) : random.number(in: 60...900))
    }

    private func pause(_ duration: Duration) async throws(TransportError) {
        do { try await simulator.sleep(duration) } catch { throw TransportError(.lost, "the wait was cancelled") }
    }

    // MARK: - Sockets

    func connect(_ request: RealtimeRequest) async throws(TransportError) -> any RealtimeSocket {
        guard isUp else { throw TransportError(.unsent, "there is no network") }
        requests += 1
        var random = SplitMix64(seed: seed, requests)
        let started = age
        try await pause(latency(&random))
        if refusesSockets || blocksSockets {
            refusesSockets = false
            throw TransportError(.lost, "the socket was refused")
        }
        guard started == age, let (number, server) = service.server(for: client) else {
            throw TransportError(.lost, "the connection was closed")
        }
        guard provider.accepts(request.authorization) else {
            throw TransportError(.unauthorized, "the token has expired")
        }
        let connection = await server.connect(with: Credentials(headers: request.authorization.byLowerCaseName))
        let socket = SimulatedSocket(
            connection, server: number, simulator: simulator, random: SplitMix64(seed: seed, requests, 1), note: note,
            fault: { [weak self] frame in self?.eventFault(of: frame) })
        sockets.removeAll { $0.isClosed }
        sockets.append(socket)
        socket.start()
        return socket
    }
}

/// When a request and its answer were where, for diagrams.
///
/// Unchecked because everything happens on one thread.
private final class RoundTrip: @unchecked Sendable {
    let sentAt: Int64
    /// When the request is at the service, or at what refuses it.
    var arrivesAt: Int64?
    /// The process that received it.
    var server: Int?
    /// When that process had an answer.
    var answeredAt: Int64?
    /// Whether it arrives after the client has given up.
    var isLate = false

    init(sentAt: Int64) { self.sentAt = sentAt }
}

extension SplitMix64 {
    static func number(_ seed: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
        var random = SplitMix64(seed: seed, first, second)
        return random.next()
    }
}
