import HoldfastModel
import HoldfastStorage
import Testing

/// A model that is a class from which others may be derived.
// Each test uses its own instances in one task; they are isolated to it.
private class Note: Model, @unchecked Sendable {
    let id: String
    var text: String

    init(id: String, text: String) {
        self.id = id
        self.text = text
    }

    enum CodingKeys: String, ModelKey { case id, text }
    class var schema: ModelSchema {
        defineSchema { model in
            model.attributes(.primaryKey(fields: [CodingKeys.id]))
            model.fields(.field(CodingKeys.id), .field(CodingKeys.text))
        }
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        text = try container.decode(String.self, forKey: .text)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(text, forKey: .text)
    }
}

@Suite struct ClassModelTests {
    @Test func aClassThatIsNotFinalIsWrittenAndRead() throws {
        let rows = try Note.rows([Note(id: "a", text: "A"), Note(id: "b", text: "B")])
        var notes = [Note(id: "0", text: "")]
        try Note.read(rows, loader: nil, parents: nil, into: &notes)
        #expect(notes.map(\.id) == ["0", "a", "b"])
        #expect(notes.map(\.text) == ["", "A", "B"])
        #expect(try notes[1].recordKey() == RecordKey("a"))
    }

    @Test func aBufferOfAnotherModelIsRefused() throws {
        let rows = try Note.rows([Note(id: "a", text: "A")])
        #expect(throws: ModelError(.decodingFailed, "The buffer is for another model than 'Note'.")) {
            try Note.read(rows, loader: nil, parents: nil, into: ModelBuffer<Counter>())
        }
    }
}
