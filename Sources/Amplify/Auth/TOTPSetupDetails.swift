public import Foundation

/// What a generator of codes needs.
public struct TOTPSetupDetails: Sendable, Equatable {
    /// The secret from which the codes are made.
    public let sharedSecret: String
    /// The user's name.
    public let username: String

    /// Creates details.
    public init(sharedSecret: String, username: String) {
        self.sharedSecret = sharedSecret
        self.username = username
    }

    /// The address that sets up a generator, as a link or as a QR code.
    ///
    /// - Parameters:
    ///   - appName: The application, as the generator shows it.
    ///   - accountName: The account, as the generator shows it; the user's name by default.
    /// - Returns: An address of the form `otpauth://totp/app:account?secret=…&issuer=app`.
    /// - Throws: ``AuthError`` `.validation` if the names cannot be part of an address.
    public func getSetupURI(appName: String, accountName: String? = nil) throws -> URL {
        var components = URLComponents()
        components.scheme = "otpauth"
        components.host = "totp"
        components.path = "/\(appName):\(accountName ?? username)"
        components.queryItems = [
            URLQueryItem(name: "secret", value: sharedSecret), URLQueryItem(name: "issuer", value: appName),
        ]
        guard let url = components.url else {
            throw AuthError.validation(
                "appName or accountName", "The names cannot be part of an address.", "Use other names.")
        }
        return url
    }
}

extension TOTPSetupDetails: CustomStringConvertible, CustomDebugStringConvertible {
    /// The user's name; not the secret.
    public var description: String { "TOTPSetupDetails(username: \(username))" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}
