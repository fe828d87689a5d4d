/// Where a code was sent.
public struct AuthCodeDeliveryDetails: Sendable, Equatable {
    /// The address.
    public let destination: DeliveryDestination
    /// The attribute of the user that the code confirms, if it confirms one.
    public let attributeKey: AuthUserAttributeKey?

    /// Creates details.
    public init(destination: DeliveryDestination, attributeKey: AuthUserAttributeKey? = nil) {
        self.destination = destination
        self.attributeKey = attributeKey
    }
}

/// An address; the provider may hide parts of it.
public typealias Destination = String

/// An address to which something is sent, as far as it is known.
public enum DeliveryDestination: Sendable, Equatable {
    /// An email address.
    case email(Destination?)
    /// A telephone number, for a call.
    case phone(Destination?)
    /// A telephone number, for a text message.
    case sms(Destination?)
    /// Any other.
    case unknown(Destination?)
}
