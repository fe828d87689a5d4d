#if Sync
/// What requests to AWS are signed with.
///
/// It prints without its secrets.
public struct AWSCredentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The name of the key.
    public var accessKeyID: String
    /// The key.
    public var secretAccessKey: String
    /// The token of temporary credentials; `nil` for lasting ones.
    public var sessionToken: String?

    /// Creates credentials, lasting ones by default.
    public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }

    /// The type's name.
    public var description: String { "AWSCredentials" }

    /// The type's name.
    public var debugDescription: String { description }

    /// Nothing, so that `dump` shows no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
