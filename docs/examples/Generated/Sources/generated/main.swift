import Foundation
import HoldfastEngine
import HoldfastModel
import HoldfastSQLite

let path = FileManager.default.temporaryDirectory.appendingPathComponent("books-\(UUID().uuidString).db").path
// Author, Book, Mood and Address are made from schema.graphql while the package is built.
let store = try await DataStore.open(SQLiteAdapter(path: path), models: [Author.self, Book.self])

let author = try await store.save(Author(name: "Ada", home: Address(street: "Quay 1", city: "Wells")))
try await store.save(
    (1...3).map { edition in
        Book(
            isbn: "978-3", edition: edition, title: "Knots", mood: edition == 3 ? .merry : .calm,
            tags: ["rope", "sea"],
            author: author)
    })

let merry = try await store.query(Book.self, where: Book.keys.mood == Mood.merry)
for book in merry {
    print(book.title, "edition", book.edition, "by", try await book.author.name, "-", book.tags ?? [])
}

if let books = try await store.query(Author.self).first?.books {
    try await books.fetch()
    print("Editions:", books.map(\.edition).sorted())
}
try await store.close()
try? FileManager.default.removeItem(atPath: path)
