/// What the service has refused in the modes of authorization that were tried for one request.
struct ModeRefusals: Sendable {
    /// Whether the service does not accept the credentials of one of the modes, so that it is not known what it would
    /// say in that mode.
    private var lacksCredentials = false
    /// Whether the service has refused the request in one of the modes whose credentials it accepts.
    private var isDenied = false

    /// Whether the service has refused nothing but credentials, which concerns the caller, and not the request.
    var isUnauthenticated: Bool { lacksCredentials && !isDenied }

    /// Whether the service has refused the request itself, and has accepted the credentials of each mode.
    var isOfRequest: Bool { isDenied && !lacksCredentials }

    /// Notes why a mode was not accepted; other failures change nothing.
    mutating func note(_ failure: ServiceFailure) {
        if failure == .unauthenticated { lacksCredentials = true }
        if failure == .unauthorized(isSignedOut: false) { isDenied = true }
    }
}
