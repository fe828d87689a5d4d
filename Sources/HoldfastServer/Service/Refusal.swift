/// Why a sender is not who the request says.
struct Refusal: Error {
    /// The message for the sender.
    var message: String
    /// Whether the same request may be accepted later.
    var isTemporary = false

    var status: Int { isTemporary ? 503 : 401 }
    var type: String { isTemporary ? "ServiceUnavailableException" : "UnauthorizedException" }
}
