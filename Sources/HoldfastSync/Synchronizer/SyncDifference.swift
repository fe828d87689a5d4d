public import HoldfastStorage

/// A record that a device and the service do not have alike.
public struct SyncDifference: Sendable, Hashable {
    /// How they differ.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The service has a record that the device lacks.
        case missing
        /// The device has a record that the service has deleted, does not know, or does not give to this user.
        case extra
        /// The device has an older version.
        case outdated
        /// The device has a version that the service does not have, as after the restore of a backup. Only
        /// ``Synchronizer/clear()`` corrects that.
        case ahead
        /// Both have the same version, with other values.
        case different
        /// The device knows of a newer version and cannot store it: the model cannot hold the record, or a change of
        /// the device is being sent.
        case waiting
    }

    /// The model's name.
    public var modelName: String
    /// The record's key.
    public var key: RecordKey
    /// How they differ.
    public var kind: Kind
    /// The version that the device has; `nil` if it knows nothing of the record.
    public var deviceVersion: Int64?
    /// The version that the service has; `nil` if it does not have the record.
    public var serviceVersion: Int64?
    /// The fields with other values, if the kind is ``Kind/different``.
    public var fields: [String]

    /// Creates a difference.
    public init(
        modelName: String, key: RecordKey, kind: Kind, deviceVersion: Int64? = nil, serviceVersion: Int64? = nil,
        fields: [String] = []
    ) {
        self.modelName = modelName
        self.key = key
        self.kind = kind
        self.deviceVersion = deviceVersion
        self.serviceVersion = serviceVersion
        self.fields = fields
    }
}
