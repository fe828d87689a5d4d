// The shape of a generated file.
import Foundation
import HoldfastModel

extension Receipt {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case code
        case total
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let receipt = Receipt.keys

        model.listPluralName = "Receipts"
        model.syncPluralName = "Receipts"

        model.attributes(
            .index(fields: ["code"], name: nil),
            .primaryKey(fields: [receipt.code])
        )

        model.fields(
            .field(receipt.code, is: .required, ofType: .string),
            .field(receipt.total, is: .required, ofType: .double),
            .field(receipt.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(receipt.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}

extension Receipt: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Custom
    public typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>
}

extension Receipt.IdentifierProtocol {
    public static func identifier(code: String) -> Self {
        .make(fields: [(name: "code", value: code)])
    }
}
