import HoldfastModel

/// A shelf with books on it.
struct Shelf: Model {
    let id: String
    var name: String

    enum CodingKeys: String, ModelKey {
        case id, name
    }

    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(.field(keys.id), .field(keys.name))
    }

    init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    init(row: RowReader) throws(ModelError) {
        let id: String = try row.read(0)
        let name: String = try row.read(1)
        self.id = id
        self.name = name
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(name)
    }
}

/// A book that holds its shelf itself: an eager model.
struct Book: Model {
    let id: String
    var title: String
    var rating: Int
    var shelf: Shelf?

    enum CodingKeys: String, ModelKey {
        case id, title, rating, shelf
    }

    static let keys = CodingKeys.self

    static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.title), .field(keys.rating, ofType: .int),
            .belongsTo(keys.shelf, is: .optional, ofType: Shelf.self, targetName: "shelfId"))
    }

    init(id: String, title: String, rating: Int, shelf: Shelf?) {
        self.id = id
        self.title = title
        self.rating = rating
        self.shelf = shelf
    }

    init(row: RowReader) throws(ModelError) {
        let id: String = try row.read(0)
        let title: String = try row.read(1)
        let rating: Int = try row.read(2)
        let shelf = try row.parent("shelf", as: Shelf.self)
        self.id = id
        self.title = title
        self.rating = rating
        self.shelf = shelf
    }

    func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(title)
        row.write(rating)
        try row.write(parent: shelf)
    }
}
