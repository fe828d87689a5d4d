// The shape of a generated file.
import Foundation
import HoldfastModel

extension Invoice {
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
        let invoice = Invoice.keys

        model.listPluralName = "Invoices"
        model.syncPluralName = "Invoices"

        model.attributes(
            .index(fields: ["code"], name: nil),
            .primaryKey(fields: [invoice.code])
        )

        model.fields(
            .field(invoice.code, is: .required, ofType: .string),
            .field(invoice.total, is: .required, ofType: .double),
            .field(invoice.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(invoice.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}

extension Invoice: ModelIdentifiable {
    public typealias IdentifierFormat = ModelIdentifierFormat.Custom
    public typealias IdentifierProtocol = ModelIdentifier<Self, ModelIdentifierFormat.Custom>
}

extension Invoice.IdentifierProtocol {
    public static func identifier(code: String) -> Self {
        .make(fields: [(name: "code", value: code)])
    }
}
