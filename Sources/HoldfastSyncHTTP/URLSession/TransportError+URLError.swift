#if Sync
internal import Foundation
internal import HoldfastSync

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

// Errors of Foundation quote addresses, so their words are not passed on.
extension TransportError {
    /// What the error means with which a task of a session ends; `nil` for an end without an answer.
    init(session error: (any Error)?) {
        switch (error as? URLError)?.code {
        case .cancelled: self = .cancelled
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed,
            .internationalRoamingOff, .callIsActive:
            self = .noConnection
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self.init(.unsent, "no encrypted connection: the service's certificate is not trusted, or TLS failed")
        case .unsupportedURL: self.init(.unsent, "the system's URLSession has no WebSockets; use HTTPSyncTransport")
        case .badURL, .appTransportSecurityRequiresSecureConnection:
            self.init(.unsent, "the system does not allow a connection to this address")
        case .timedOut: self.init(.lost, "the service did not answer in time")
        default: self.init(.lost, "the connection was lost")
        }
        // Only its code: the rest quotes addresses, and that of a socket has what authorizes it.
        underlyingError = (error as? URLError).map { URLError($0.code) }
    }
}
#endif
