#if Server
import HoldfastStorage

/// Counts and durations of a server, as text for Prometheus.
final class Metrics: Sendable {
    private struct Key: Hashable, Comparable {
        var route: String
        var status: Int
        static func < (a: Key, b: Key) -> Bool { (a.route, a.status) < (b.route, b.status) }
    }

    private struct Durations {
        var buckets = [Int](repeating: 0, count: Metrics.bounds.count)
        var count = 0
        var seconds = 0.0
    }

    private struct State {
        var requests: [Key: Int] = [:]
        var durations: [String: Durations] = [:]
        var openSockets = 0
        var sockets = 0
        var socketsCutOff = 0
    }

    private let state = Mutex(State())

    /// The upper bounds of the durations that are counted, in seconds.
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// Counts a request.
    func count(_ route: String, status: Int, _ duration: Duration) {
        let seconds = duration.inSeconds
        state.withLock { state in
            state.requests[Key(route: route, status: status), default: 0] += 1
            state.durations[route, default: Durations()].count += 1
            state.durations[route, default: Durations()].seconds += seconds
            for (index, bound) in Self.bounds.enumerated() where seconds <= bound {
                state.durations[route, default: Durations()].buckets[index] += 1
            }
        }
    }

    /// Counts a WebSocket that opens.
    func socketOpened() {
        state.withLock {
            $0.openSockets += 1
            $0.sockets += 1
        }
    }

    /// Counts a WebSocket that closes.
    ///
    /// - Parameter isCutOff: Whether the client did not read what was sent.
    func socketClosed(isCutOff: Bool) {
        state.withLock {
            $0.openSockets -= 1
            if isCutOff { $0.socketsCutOff += 1 }
        }
    }

    /// All values.
    var text: String {
        let state = state.withLock { $0 }
        var lines = ["# TYPE holdfast_http_requests_total counter"]
        for (key, count) in state.requests.sorted(by: { $0.key < $1.key }) {
            lines.append("holdfast_http_requests_total{route=\"\(key.route)\",status=\"\(key.status)\"} \(count)")
        }
        lines.append("# TYPE holdfast_http_request_seconds histogram")
        for (route, durations) in state.durations.sorted(by: { $0.key < $1.key }) {
            let name = "holdfast_http_request_seconds"
            for (bound, count) in zip(Self.bounds, durations.buckets) {
                lines.append("\(name)_bucket{route=\"\(route)\",le=\"\(bound)\"} \(count)")
            }
            lines.append("\(name)_bucket{route=\"\(route)\",le=\"+Inf\"} \(durations.count)")
            lines.append("\(name)_sum{route=\"\(route)\"} \(durations.seconds)")
            lines.append("\(name)_count{route=\"\(route)\"} \(durations.count)")
        }
        lines += [
            "# TYPE holdfast_sockets gauge", "holdfast_sockets \(state.openSockets)",
            "# TYPE holdfast_sockets_total counter", "holdfast_sockets_total \(state.sockets)",
            "# TYPE holdfast_sockets_cut_off_total counter", "holdfast_sockets_cut_off_total \(state.socketsCutOff)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
#endif
