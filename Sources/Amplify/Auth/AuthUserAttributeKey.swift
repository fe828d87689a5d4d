/// What an identity provider knows about a user.
public enum AuthUserAttributeKey: Sendable, Hashable {
    /// The postal address.
    case address
    /// The date of birth.
    case birthDate
    /// The email address.
    case email
    /// Whether the email address is the user's.
    case emailVerified
    /// The family name.
    case familyName
    /// The gender.
    case gender
    /// The given name.
    case givenName
    /// The language and region.
    case locale
    /// The middle name.
    case middleName
    /// The full name.
    case name
    /// The nickname.
    case nickname
    /// The telephone number.
    case phoneNumber
    /// Whether the telephone number is the user's.
    case phoneNumberVerified
    /// The address of a picture.
    case picture
    /// The name by which the user wants to be called.
    case preferredUsername
    /// The address of a page about the user.
    case profile
    /// The identifier.
    case sub
    /// When this was changed last.
    case updatedAt
    /// The address of the user's own page.
    case website
    /// The time zone.
    case zoneInfo
    /// An attribute of the application's own.
    case custom(String)
    /// Any other.
    case unknown(String)
}
