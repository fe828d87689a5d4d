/// Why a record cannot be written for an administrator; never contains a value.
public struct DataError: Error, Sendable, Hashable {
    /// What sort of failure it is.
    public enum Kind: Sendable, Hashable {
        /// The schema has no such model.
        case unknownModel
        /// The model has no such field.
        case unknownField
        /// A required field, or one of the key, has no value.
        case missingValue
        /// A value is not one of its field's type.
        case invalidValue
        /// The record is there already, or was deleted.
        case recordExists
        /// The record is not there, or was deleted.
        case noRecord
        /// The record has another version than the caller has seen.
        case otherVersion
        /// The store does not take the record.
        case refused
        /// Others change the record too often at the same time; try again.
        case contended
    }

    /// What sort of failure it is.
    public var kind: Kind
    /// The model; `nil` if none is known.
    public var model: String?
    /// The field; `nil` if the whole record is meant.
    public var field: String?
    /// What is wrong, as a phrase without a final period.
    public var reason: String

    init(_ kind: Kind, model: String? = nil, field: String? = nil, _ reason: String) {
        self.kind = kind
        self.model = model
        self.field = field
        self.reason = reason
    }
}

extension DataError: CustomStringConvertible {
    /// The place and the reason on one line.
    public var description: String {
        let path = [model, field].compactMap { $0 }.joined(separator: ".")
        return path.isEmpty ? reason : "\(path): \(reason)"
    }
}
