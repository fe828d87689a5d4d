public import Amplify
public import Foundation

/// A session with credentials of AWS, of a user or of a guest.
public protocol AuthAWSCredentialsProvider {
    /// The credentials, or why there are none.
    func getAWSCredentials() -> Result<any AWSCredentials, AuthError>
}

/// What requests to AWS are signed with.
public protocol AWSCredentials {
    /// The name of the key.
    var accessKeyId: String { get }
    /// The key.
    var secretAccessKey: String { get }
}

/// Credentials for a time, as an identity pool gives them.
public protocol AWSTemporaryCredentials: AWSCredentials {
    /// The token that shows that they are valid; requests carry it.
    var sessionToken: String { get }
    /// When they stop being valid.
    var expiration: Date { get }
}
