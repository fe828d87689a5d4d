// The shape of a generated file.
import Foundation
import HoldfastModel

extension Hire {
    // MARK: - CodingKeys
    public enum CodingKeys: String, ModelKey {
        case id
        case day
        case hall
        case invoice
        case hireInvoiceCode
        case createdAt
        case updatedAt
    }

    public static let keys = CodingKeys.self
    //  MARK: - ModelSchema

    public static let schema = defineSchema { model in
        let hire = Hire.keys

        model.authRules = [
            rule(allow: .public, operations: [.create, .update, .delete, .read])
        ]

        model.listPluralName = "Hires"
        model.syncPluralName = "Hires"

        model.attributes(
            .primaryKey(fields: [hire.id])
        )

        model.fields(
            .field(hire.id, is: .required, ofType: .string),
            .field(hire.day, is: .required, ofType: .date),
            .belongsTo(hire.hall, is: .optional, ofType: Hall.self, targetNames: ["hallHiresBuilding", "hallHiresNumber"]),
            .hasOne(hire.invoice, is: .optional, ofType: Invoice.self, associatedWith: Invoice.keys.code, targetName: "hireInvoiceCode"),
            .field(hire.hireInvoiceCode, is: .optional, ofType: .string),
            .field(hire.createdAt, is: .optional, isReadOnly: true, ofType: .dateTime),
            .field(hire.updatedAt, is: .optional, isReadOnly: true, ofType: .dateTime)
        )
    }
}
