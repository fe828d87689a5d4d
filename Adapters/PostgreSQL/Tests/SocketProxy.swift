#if PostgreSQL && os(Linux)
import Foundation
import Glibc
import HoldfastStorage
import HoldfastTestSupport

/// A socket between a store and the test server, which can go away or fall silent as a network does: without the
/// server noticing.
///
/// It can also refuse connections, as a server does that starts.
final class SocketProxy: Sendable {
    /// How a connection is refused.
    struct Refusal: Sendable {
        /// What the client receives as an error; empty for none.
        var state = ""
        var message = ""
        /// Whether the answer to the first query is refused, as by a pool, and not the login.
        var isBehindLogin = false
        /// Whether the connection is closed before anything is read.
        var isUnread = false
    }

    private struct State {
        var clients: [Int32] = []
        var servers: [Int32] = []
    }

    private let directory: String
    private let listener: Int32
    private let state = Mutex(State())
    private let thaw = NSCondition()
    private let isFrozen = Mutex(false)
    private let refusals = Mutex<[Refusal]>([])
    private let answered = Mutex(0)

    init() throws {
        var template = Array("/tmp/holdfast-proxy.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StorageError(.io, "There is no directory for the socket.") }
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isBound = Self.withAddress(directory + "/.s.PGSQL.5432") { bind(listener, $0, $1) } == 0
        guard isBound, listen(listener, 64) == 0 else { throw StorageError(.io, "The socket cannot listen.") }
        let accepting = listener
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(accepting, nil, nil)
                // Only closed here: until then no other socket gets its number.
                if client < 0 { close(accepting); return }
                guard let self else { close(client); continue }
                self.connect(client)
            }
        }
    }

    deinit {
        // The thread that accepts sees it, and closes it.
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { state in
            for descriptor in state.clients + state.servers { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        unlink(directory + "/.s.PGSQL.5432")
        rmdir(directory)
    }

    /// How a store reaches the server through the proxy; what connects waits as long as it takes.
    var url: String { "postgresql://holdfast@/postgres?host=\(directory)&connect_timeout=600" }

    private static var serverPath: String {
        let directory = (PostgreSQLServer.url ?? "").split(separator: "host=").last.map(String.init) ?? ""
        return directory + "/.s.PGSQL.5432"
    }

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private func connect(_ client: Int32) {
        let refusal = refusals.withLock { $0.popLast() }
        if let refusal, !refusal.isBehindLogin {
            var start = [UInt8](repeating: 0, count: 4 << 10)
            if !refusal.isUnread { _ = read(client, &start, start.count) }
            return Self.say(refusal, to: client)
        }
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(Self.serverPath, { Glibc.connect(server, $0, $1) }) == 0 else {
            shutdown(client, Int32(SHUT_RDWR))
            return
        }
        state.withLock { state in
            state.clients.append(client)
            state.servers.append(server)
        }
        Thread.detachNewThread {
            var count = 0
            Self.pump(client, server) { _ in
                // The login is one message.
                count += 1
                guard let refusal, count > 1 else { return true }
                Self.say(refusal, to: client)
                return false
            }
            if refusal != nil { shutdown(server, Int32(SHUT_RDWR)) }
        }
        Thread.detachNewThread { [weak self] in
            Self.pump(server, client) { byteCount in
                self?.waitUntilThawed()
                self?.answered.withLock { $0 += byteCount }
                return true
            }
        }
    }

    /// Ends a connection with an error of the server.
    private static func say(_ refusal: Refusal, to client: Int32) {
        let words = ["SFATAL", "VFATAL", "C" + refusal.state, "M" + refusal.message]
        let fields = words.flatMap { word -> [UInt8] in Array(word.utf8) + [0] } + [0]
        let length = UInt32(4 + fields.count)
        let answer = [UInt8(ascii: "E")] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + fields
        if !refusal.state.isEmpty { _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL)) }
        shutdown(client, Int32(SHUT_RDWR))
    }

    /// Passes bytes on until either side ends; the other side is not notified.
    ///
    /// - Parameters:
    ///   - source: Where bytes come from.
    ///   - target: Where they go.
    ///   - before: Called with the length of each part; says whether to continue.
    private static func pump(_ source: Int32, _ target: Int32, before: (Int) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count <= 0 { return }
            guard before(count) else { return }
            var sent = 0
            while sent < count {
                let written = buffer.withUnsafeBytes {
                    send(target, $0.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL))
                }
                if written <= 0 { break }
                sent += written
            }
        }
    }

    private func waitUntilThawed() {
        thaw.withLock { while isFrozen.load() { thaw.wait() } }
    }

    /// How many bytes the server has sent to clients.
    var answeredByteCount: Int { answered.load() }

    /// Ends the connections of all clients; the server is not notified and continues.
    func dropClients() {
        let clients = state.withLock { state in
            defer { state.clients = [] }
            return state.clients
        }
        for client in clients { shutdown(client, Int32(SHUT_RDWR)) }
    }

    /// Refuses the next connections, as many as are given.
    func refuse(_ next: [Refusal]) { refusals.withLock { $0 = next.reversed() } }

    /// How many of them are still to come.
    var refusalCount: Int { refusals.withLock(\.count) }

    /// Holds back the answers of the server, or lets those that were held back through.
    func setFrozen(_ isFrozen: Bool) {
        thaw.withLock {
            self.isFrozen.store(isFrozen)
            thaw.broadcast()
        }
    }
}
#endif
