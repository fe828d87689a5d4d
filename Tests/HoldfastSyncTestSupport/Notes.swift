package import HoldfastModel
import HoldfastStorage

/// A note of the tests.
package struct Note: Model {
    package let id: String
    package var title: String
    package var body: String?
    package var rating: Int?

    package init(id: String, title: String, body: String? = nil, rating: Int? = nil) {
        self.id = id
        self.title = title
        self.body = body
        self.rating = rating
    }

    package enum CodingKeys: String, ModelKey { case id, title, body, rating }
    package static let keys = CodingKeys.self

    package static let schema = defineSchema { model in
        model.pluralName = "Notes"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.title), .field(keys.body, is: .optional),
            .field(keys.rating, is: .optional, ofType: .int))
    }
}

/// A remark on a note.
package struct Remark: Model {
    package let id: String
    package var text: String
    package var note: LazyReference<Note>

    package init(id: String, text: String, note: LazyReference<Note>) {
        self.id = id
        self.text = text
        self.note = note
    }

    package enum CodingKeys: String, ModelKey { case id, text, note }
    package static let keys = CodingKeys.self

    package static let schema = defineSchema { model in
        model.pluralName = "Remarks"
        model.attributes(.primaryKey(fields: [keys.id]))
        model.fields(
            .field(keys.id), .field(keys.text),
            .belongsTo(keys.note, is: .optional, ofType: Note.self, targetNames: ["noteId"]))
    }
}
