#if Sync
internal import AsyncHTTPClient
internal import HoldfastSync
internal import NIOCore
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL

#if canImport(Darwin)
private import Darwin
#elseif canImport(Musl)
private import Musl
#else
private import Glibc
#endif

// Errors of the libraries may quote headers and addresses, so their words are not passed on.
extension TransportError {
    /// The transport was shut down.
    static let hasEnded = TransportError(.unsent, "the transport was shut down")
    /// The calling task was cancelled.
    static let cancelled = TransportError(.lost, "the request was cancelled")

    /// The response has more bytes than the configuration allows.
    static let tooLong = TransportError(.tooLong, "the response is longer than allowed; raise limits.responseBytes")

    /// What the status means with which a service refuses a socket: it can be reached, whatever the status.
    ///
    /// Proxies and firewalls that let no sockets pass respond with status 403, too, but not in the service's name.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - errorType: The header `x-amzn-errortype`: AppSync also refuses credentials with status 400.
    init(refusedWith status: Int, errorType: String?) {
        let isOfService = errorType?.hasPrefix("WAF") == false
        let isUnauthorized =
            status == 401 || status == 403 && isOfService || errorType?.contains("Unauthorized") == true
        self.init(isUnauthorized ? .unauthorized : .lost, "the service refuses the socket with status \(status)")
    }

    /// What a failed request over HTTP means.
    init(http error: any Error) {
        if let error = error as? HTTPClientError {
            self.init(client: error)
            return
        }
        switch error {
        case is NIOTooManyBytesError, NIOHTTPDecompression.DecompressionError.limit: self = .tooLong
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            self.init(.lost, "the packed response cannot be read")
        case is CancellationError: self = .cancelled
        default: self = Self(connecting: error) ?? TransportError(.lost, "the connection was lost")
        }
    }

    /// What an error means that can only come from making a connection; `nil` for another.
    init?(connecting error: any Error) {
        switch error {
        case ChannelError.connectTimeout: self.init(.unsent, "no connection in time")
        case is NIOConnectionError, is SocketAddressError: self = .noConnection
        // Only a new connection is refused; other errors of the system may also end one that carried a request.
        case let error as IOError where error.errnoCode == ECONNREFUSED: self = .noConnection
        case NIOSSLError.handshakeFailed, is NIOSSLExtraError:
            self.init(.unsent, "no encrypted connection: the service's certificate is not trusted, or TLS failed")
        default: return nil
        }
    }

    /// No connection could be made.
    static let noConnection = TransportError(.unsent, "no connection: the host is not found or does not accept it")

    private init(client error: HTTPClientError) {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout:
            self.init(.unsent, "no connection in time")
        case .httpProxyHandshakeTimeout, .socksHandshakeTimeout, .proxyAuthenticationRequired, .invalidProxyResponse:
            self.init(.unsent, "the proxy does not pass the connection on")
        case .alreadyShutdown: self = .hasEnded
        case .cancelled: self = .cancelled
        case .remoteConnectionClosed: self.init(.lost, "the connection was closed before the end of the response")
        default: self.init(.lost, "the request failed")
        }
    }
}
#endif
