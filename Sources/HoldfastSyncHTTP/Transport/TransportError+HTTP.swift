#if Sync
internal import AsyncHTTPClient
internal import HoldfastSync
internal import NIOCore
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL

// Errors of the libraries may quote headers and addresses, so their words are not passed on.
extension TransportError {
    /// The transport was shut down.
    static let hasEnded = TransportError(.unsent, "the transport was shut down")
    /// The calling task was cancelled.
    static let cancelled = TransportError(.lost, "the request was cancelled")

    /// What a failed request over HTTP means.
    init(http error: any Error) {
        if let error = error as? HTTPClientError {
            self.init(client: error)
            return
        }
        switch error {
        case is NIOTooManyBytesError, NIOHTTPDecompression.DecompressionError.limit:
            self.init(.lost, "the response is longer than allowed; raise limits.responseBytes")
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            self.init(.lost, "the packed response cannot be read")
        case is CancellationError: self = .cancelled
        default: self.init(connecting: error)
        }
    }

    /// What a failure means that may come from making a connection.
    init(connecting error: any Error) {
        switch error {
        case ChannelError.connectTimeout: self.init(.unsent, "no connection in time")
        case is NIOConnectionError, is SocketAddressError:
            self.init(.unsent, "no connection: the host is not found or does not accept it")
        case NIOSSLError.handshakeFailed, is NIOSSLExtraError:
            self.init(.unsent, "no encrypted connection: the service's certificate is not trusted, or TLS failed")
        default: self.init(.lost, "the connection was lost")
        }
    }

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
