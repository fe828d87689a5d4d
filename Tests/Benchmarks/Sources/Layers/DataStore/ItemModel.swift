import HoldfastModel
import HoldfastStorage

/// The item as a generated model with its row codec.
struct ItemModel: Model {
    let id: String
    var title: String
    var content: String
    var rating: Int
    var status: String
    var createdAt: Temporal.DateTime

    enum CodingKeys: String, ModelKey {
        case id, title, content, rating, status, createdAt
    }

    static let keys = CodingKeys.self

    static let schema = defineSchema(name: "Item") { model in
        model.attributes(
            .index(fields: ["status", "createdAt"], name: "byStatus"), .primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id, is: .required, ofType: .string),
            .field(keys.title, is: .required, ofType: .string),
            .field(keys.content, is: .required, ofType: .string),
            .field(keys.rating, is: .required, ofType: .int),
            .field(keys.status, is: .required, ofType: .string),
            .field(keys.createdAt, is: .required, ofType: .dateTime))
    }

    init(_ item: Item) {
        id = item.id
        title = item.title
        content = item.content
        rating = item.rating
        status = item.status
        createdAt = Temporal.DateTime(item.createdAt)
    }

    init(row: borrowing RowReader) throws(ModelError) {
        let id: String = try row.read(0)
        let title: String = try row.read(1)
        let content: String = try row.read(2)
        let rating: Int = try row.read(3)
        let status: String = try row.read(4)
        let createdAt: Temporal.DateTime = try row.read(5)
        self.id = id
        self.title = title
        self.content = content
        self.rating = rating
        self.status = status
        self.createdAt = createdAt
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(title)
        row.write(content)
        row.write(rating)
        row.write(status)
        row.write(createdAt)
    }
}
