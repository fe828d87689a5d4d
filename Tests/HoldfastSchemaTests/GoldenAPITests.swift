import Foundation
import HoldfastGraphQL
import HoldfastSchema
import Testing

/// The API of each golden schema, compared as a type map with the one that the original makes.
@Suite struct GoldenAPITests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("HoldfastCodegenTests")
    static let names = [
        "auth", "auth-multi", "enums-embedded", "keys-indexes", "many-to-many", "plain", "plurals",
        "relations-explicit", "relations-implicit", "scalars",
    ]

    @Test(arguments: names)
    func theAPIIsThatOfTheOriginal(name: String) throws {
        let source = try String(
            contentsOf: Self.folder.appendingPathComponent("Schemas/\(name).graphql"), encoding: .utf8)
        let golden = try String(contentsOf: Self.folder.appendingPathComponent("API/\(name).sdl"), encoding: .utf8)
        let mode = try #require(source.split(separator: "\n").first?.split(separator: ": ").last)
        let api = try apiSchema(of: [Source(source)], defaultMode: #require(AuthMode(rawValue: String(mode))))
        let made = TypeMap(api)
        let expected = TypeMap(try GraphQLDocument(parsing: golden, options: ParseOptions(keepsLocations: false)))
        let differences = expected.differences(from: made)
        #expect(differences.isEmpty, "\(differences.prefix(40).joined(separator: "\n"))")
    }
}
