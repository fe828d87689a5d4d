// The shape of a generated file.
import Foundation
import HoldfastModel

public struct Hire: Model {
    public let id: String
    public var day: Temporal.Date
    public var hall: Hall?
    public var invoice: Invoice?
    public var hireInvoiceCode: String?
    public var createdAt: Temporal.DateTime?
    public var updatedAt: Temporal.DateTime?

    public init(
        id: String = UUID().uuidString,
        day: Temporal.Date,
        hall: Hall? = nil,
        invoice: Invoice? = nil,
        hireInvoiceCode: String? = nil
    ) {
        self.init(
            id: id,
            day: day,
            hall: hall,
            invoice: invoice,
            hireInvoiceCode: hireInvoiceCode,
            createdAt: nil,
            updatedAt: nil)
    }

    internal init(
        id: String = UUID().uuidString,
        day: Temporal.Date,
        hall: Hall? = nil,
        invoice: Invoice? = nil,
        hireInvoiceCode: String? = nil,
        createdAt: Temporal.DateTime? = nil,
        updatedAt: Temporal.DateTime? = nil
    ) {
        self.id = id
        self.day = day
        self.hall = hall
        self.invoice = invoice
        self.hireInvoiceCode = hireInvoiceCode
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
