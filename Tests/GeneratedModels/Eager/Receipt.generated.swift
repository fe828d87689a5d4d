// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Receipt: Model {
    public let code: String
    public var total: Double
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        code: String,
        total: Double
    ) {
        self.init(
            code: code,
            total: total,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        code: String,
        total: Double,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.code = code
        self.total = total
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
