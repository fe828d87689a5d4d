package import HoldfastModel

/// An order with a key of two fields.
package struct Order: Model {
    package let shop: String
    package let number: Int
    package var note: String?
    package var lines: List<OrderLine>?

    package init(shop: String, number: Int, note: String? = nil) {
        self.shop = shop
        self.number = number
        self.note = note
        lines = []
    }
}

extension Order {
    package enum CodingKeys: String, ModelKey {
        case shop, number, note, lines
    }

    package static let keys = CodingKeys.self

    package static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [Order.keys.shop, Order.keys.number]))
        model.fields(
            .field(keys.note, is: .optional),
            .field(keys.shop),
            .field(keys.number, ofType: .int),
            .hasMany(keys.lines, is: .optional, ofType: OrderLine.self, associatedFields: [OrderLine.keys.order]))
    }

    package init(row: RowReader) throws(ModelError) {
        note = try row.read(0)
        shop = try row.read(1)
        number = try row.read(2)
        lines = row.children(by: "order", keyColumns: 1, 2)
    }

    package func write(to row: inout RowWriter) throws(ModelError) {
        row.write(note)
        row.write(shop)
        row.write(number)
    }
}

/// A line of an order; has a required parent.
package struct OrderLine: Model {
    package let id: String
    package var title: String
    var _order: LazyReference<Order>
    package var order: Order {
        get async throws { try await _order.require() }
    }

    package init(id: String, title: String, order: Order?) {
        self.id = id
        self.title = title
        _order = LazyReference(order)
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        title = try values.decode(String.self, forKey: .title)
        _order = try values.decodeIfPresent(LazyReference<Order>.self, forKey: .order) ?? LazyReference(nil)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(_order, forKey: .order)
    }
}

extension OrderLine {
    package enum CodingKeys: String, ModelKey {
        case id, title, order
    }

    package static let keys = CodingKeys.self

    package static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [OrderLine.keys.id]))
        model.fields(
            .field(keys.id),
            .belongsTo(
                keys.order, is: .required, ofType: Order.self, associatedWith: Order.keys.lines,
                targetNames: ["orderShop", "orderNumber"]),
            .field(keys.title))
    }

    package init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        _order = row.reference(1)
        title = try row.read(3)
    }

    package func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        try row.write(_order)
        row.write(title)
    }
}
