#if CLI
import Foundation

/// Whether a service can listen on its port, or listens there.
struct PortCheck {
    let host: String
    let port: Int
    let isRunning: Bool

    var finding: Finding {
        if isRunning && port == 0 {
            return .skipped("port", "The port was chosen when the service started; name it with --port.")
        }
        guard let addresses = Addresses(host: host, port: port) else {
            return .problem(
                "port", "'\(host)' is not a name or an address that this machine knows.",
                fix: "Use an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them.")
        }
        return isRunning ? listening(addresses) : free(addresses)
    }

    private func free(_ addresses: Addresses) -> Finding {
        switch addresses.bind() {
        case 0: .ok("port", port == 0 ? "\(host) has a free port" : "\(host):\(port) is free")
        case EADDRINUSE:
            .problem(
                "port", "Another program listens on \(host):\(port).",
                fix: "End it (`ss -ltnp 'sport = :\(port)'` shows it), or choose another port with --port. "
                    + "If it is the service itself, add --running.")
        case EACCES:
            .problem(
                "port", "This user may not listen on port \(port).",
                fix: "Use a port from 1024 on behind a proxy, or allow it: "
                    + "`setcap cap_net_bind_service=+ep` on the program.")
        case EADDRNOTAVAIL:
            .problem(
                "port", "'\(host)' is not an address of this machine.",
                fix: "Use one of this machine (`ip address` lists them), or 0.0.0.0 for all of them.")
        case let code:
            .problem(
                "port", "The service cannot listen on \(host):\(port): \(String(cString: strerror(code))).",
                fix: "Choose another address or port with --host and --port.")
        }
    }

    private func listening(_ addresses: Addresses) -> Finding {
        addresses.connect() == 0
            ? .ok("port", "a program listens on \(host):\(port)")
            : .problem(
                "port", "No program listens on \(host):\(port).",
                fix: "Start the service, or name its address with --host and --port.")
    }
}

/// The socket addresses of a name; freed with the value.
private final class Addresses {
    private let first: UnsafeMutablePointer<addrinfo>

    /// Looks a name up; `nil` if it has no address.
    init?(host: String, port: Int) {
        var hints = addrinfo()
        #if canImport(Darwin)
        hints.ai_socktype = SOCK_STREAM
        #else
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else { return nil }
        first = list
    }

    deinit { freeaddrinfo(first) }

    /// The error code of listening on the first address; 0 if it is possible.
    func bind() -> Int32 {
        withSocket { descriptor in
            // As the server does, so that connections which were just closed do not count.
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
            if Foundation.bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) != 0 { return errno }
            // Where two programs may bind an address, only one can listen.
            return listen(descriptor, 1) == 0 ? 0 : errno
        }
    }

    /// The error code of connecting to the first address; 0 if a program accepts it.
    func connect() -> Int32 {
        withSocket { descriptor in
            Foundation.connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 ? 0 : errno
        }
    }

    private func withSocket(_ body: (Int32) -> Int32) -> Int32 {
        let descriptor = socket(first.pointee.ai_family, first.pointee.ai_socktype, first.pointee.ai_protocol)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return body(descriptor)
    }
}
#endif
