// The shape of a generated file.
import Amplify
import Foundation

public struct CustomerOrder: Model {
    public let id: String
    public var orderId: String
    public var email: String

    public init(
        id: String = UUID().uuidString,
        orderId: String,
        email: String
    ) {
        self.id = id
        self.orderId = orderId
        self.email = email
    }
}

extension CustomerOrder {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case orderId
        case email
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let customerOrder = CustomerOrder.keys

        model.pluralName = "CustomerOrders"

        model.attributes(
            .index(fields: ["orderId", "id"], name: nil)
        )

        model.fields(
            .id(),
            .field(customerOrder.orderId, is: .required, ofType: .string),
            .field(customerOrder.email, is: .required, ofType: .string)
        )
    }
}

extension CustomerOrder: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Default
    public typealias IdentifierProtocol = DefaultModelIdentifier<Self>
}
