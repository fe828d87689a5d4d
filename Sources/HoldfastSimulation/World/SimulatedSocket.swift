import HoldfastServer
import HoldfastStorage
import HoldfastSync

/// One socket: frames with a delay until it is cut, in order but for what events meet.
///
/// Unchecked because everything happens on one thread.
final class SimulatedSocket: RealtimeSocket, @unchecked Sendable {
    let server: Int
    private let connection: ServerConnection
    private let simulator: Simulator
    private var random: SplitMix64
    private let note: PlaceNotes
    /// What a frame meets, if it is an event that something happens to.
    private let fault: @Sendable (_ frame: [UInt8]) -> Scenario.SocketFault?
    private var frames: [[UInt8]] = []
    /// An event that comes after the next one.
    private var held: [UInt8]?
    /// How many events were held, so that a wait knows for which one it was.
    private var holds = 0
    private var waiter: CheckedContinuation<[UInt8]?, Never>?
    private(set) var isClosed = false
    /// Whether frames vanish in both directions.
    var isHalfOpen = false

    init(
        _ connection: ServerConnection, server: Int, simulator: Simulator, random: SplitMix64, note: PlaceNotes,
        fault: @escaping @Sendable (_ frame: [UInt8]) -> Scenario.SocketFault?
    ) {
        self.connection = connection
        self.server = server
        self.simulator = simulator
        self.random = random
        self.note = note
        self.fault = fault
    }

    /// Begins to carry frames of the service.
    func start() {
        Task {
            while let frame = await connection.next() {
                let start = simulator.now
                try? await simulator.sleep(delay())
                let fault = isClosed || isHalfOpen ? nil : fault(frame)
                show(frame, sentAt: start, isLost: fault == .eventLost)
                if isClosed { break }
                if isHalfOpen || fault == .eventLost { continue }
                carry(frame, fault)
            }
            // The end of a half-open connection is not seen either.
            if !isHalfOpen { await close() }
        }
    }

    private func carry(_ frame: [UInt8], _ fault: Scenario.SocketFault?) {
        // Only events change places.
        if held != nil, MessageText.event(frame) == nil { release() }
        if fault == .eventsSwapped, held == nil {
            hold(frame)
            return
        }
        deliver(frame)
        release()
        if fault == .eventTwice { hold(frame) }
    }

    /// Keeps an event until the next one has come, but not for longer than events take now and then.
    private func hold(_ frame: [UInt8]) {
        held = frame
        holds += 1
        let (hold, pause) = (holds, Duration.milliseconds(random.number(in: 200...1_500)))
        Task {
            try? await simulator.sleep(pause)
            if holds == hold { release() }
        }
    }

    private func release() {
        guard let frame = held else { return }
        held = nil
        if !isClosed, !isHalfOpen { deliver(frame) }
    }

    private func deliver(_ frame: [UInt8]) {
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: frame)
        } else {
            frames.append(frame)
        }
    }

    private func show(_ frame: [UInt8], sentAt start: Int64, isLost: Bool) {
        guard let text = MessageText.event(frame) else { return }
        let end = isClosed || isHalfOpen || isLost ? nil : simulator.now
        note.notes.message(.event, from: .server(server), to: note.place, sentAt: start, arrivedAt: end, text)
    }

    func send(_ text: [UInt8]) async throws(TransportError) {
        try? await simulator.sleep(delay())
        if isClosed { throw TransportError(.lost, "the socket is closed") }
        if !isHalfOpen { await connection.receive(text) }
    }

    func next() async throws(TransportError) -> [UInt8]? {
        if !frames.isEmpty { return frames.removeFirst() }
        if isClosed { return nil }
        return await withCheckedContinuation { waiter = $0 }
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        waiter?.resume(returning: nil)
        waiter = nil
        await connection.close()
    }

    private func delay() -> Duration {
        .milliseconds(random.chance(90) ? random.number(in: 0...40) : random.number(in: 40...1_500))
    }
}
