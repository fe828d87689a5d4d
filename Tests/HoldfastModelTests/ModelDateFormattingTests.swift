import Foundation
import HoldfastModel
import Testing

@Suite struct ModelDateFormattingTests {
    struct Note: Codable {
        var at: Date
    }

    @Test func datesAreTextInUTC() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = ModelDateFormatting.decodingStrategy
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = ModelDateFormatting.encodingStrategy
        let note = try decoder.decode(Note.self, from: Data(#"{"at":"2024-01-31T01:30:00.250+01:30"}"#.utf8))
        #expect(note.at.timeIntervalSince1970 == 1_706_659_200.25)
        #expect(String(decoding: try encoder.encode(note), as: UTF8.self) == #"{"at":"2024-01-31T00:00:00.250Z"}"#)
        #expect(throws: (any Error).self) { try decoder.decode(Note.self, from: Data(#"{"at":"yesterday"}"#.utf8)) }
    }
}
