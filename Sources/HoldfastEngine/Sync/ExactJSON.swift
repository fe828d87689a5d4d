import Foundation

/// A JSON value that is compared with others without regard to the order of members, to spaces, and to the form of
/// numbers.
///
/// The type that applications have for JSON keeps numbers as doubles, where different integers of 64 bits become the same.
enum ExactJSON: Decodable, Equatable {
    case array([ExactJSON])
    case boolean(Bool)
    /// A number without a fraction, also if it is written as `1.0` or `1e0`.
    case integer(Int64)
    /// Such a number from 2⁶³ on.
    case unsigned(UInt64)
    /// Any other number.
    case double(Double)
    case object([String: ExactJSON])
    case string(String)
    case null

    /// Reads JSON; `nil` if the text is not JSON.
    init?(parsing text: String) {
        guard let value = try? JSONDecoder().decode(ExactJSON.self, from: Data(text.utf8)) else { return nil }
        self = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([ExactJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: ExactJSON].self))
        }
    }
}
