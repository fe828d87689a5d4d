#if Server
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Answers those who ask for metrics, on a port of its own.
struct MetricsResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let metrics: Metrics

    func respond(to request: Request, context: Context) async throws -> Response {
        let isHead = request.method == .head
        var response = Responder.text(.notFound, "There is only /metrics here.\n")
        if isHead || request.method == .get, case .metrics = Route(path: request.uri.path) {
            response = metrics.response
        }
        return isHead ? response.createHeadResponse() : response
    }
}

extension Metrics {
    /// All values, as Prometheus reads them.
    var response: Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
#endif
