import Foundation
import GRDB

/// An item whose columns are read by position and written by name.
struct RecordItem: GRDBItem {
    var id: String
    var title: String
    var content: String
    var rating: Int
    var status: String
    var createdAt: Date

    init(_ item: Item) {
        id = item.id
        title = item.title
        content = item.content
        rating = item.rating
        status = item.status
        createdAt = item.createdAt.date
    }

    /// In the order of the table: id, title, content, status, rating, createdAt.
    init(row: Row) {
        id = row[0]
        title = row[1]
        content = row[2]
        status = row[3]
        rating = row[4]
        createdAt = row[5]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["content"] = content
        container["rating"] = rating
        container["status"] = status
        container["createdAt"] = createdAt
    }
}

/// An item that GRDB reads and writes through `Codable`.
struct CodableItem: GRDBItem, Codable {
    var id: String
    var title: String
    var content: String
    var rating: Int
    var status: String
    var createdAt: Date

    init(_ item: Item) {
        id = item.id
        title = item.title
        content = item.content
        rating = item.rating
        status = item.status
        createdAt = item.createdAt.date
    }
}
