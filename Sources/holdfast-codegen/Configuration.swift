import Foundation
import HoldfastCodegen

/// What the file `holdfast-codegen.json` beside a schema says: how the plug-ins make models of it.
struct Configuration: Decodable {
    /// `eager` or `lazy`.
    var style: String?
    /// The module that the files import.
    var importedModule: String?
    /// Whether models get row codecs of their own.
    var rowCodecs: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case style, rowCodecs
        case importedModule = "import"
    }

    /// Reads a file.
    ///
    /// - Throws: ``ConfigurationError`` if it does not exist, is not a JSON object, or has an unknown key or value.
    init(contentsOf path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError(description: "the file cannot be read")
        }
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw ConfigurationError(description: "the file is not a JSON object, such as {\"style\": \"eager\"}")
        }
        let known = CodingKeys.allCases.map(\.rawValue)
        if let key = object.keys.sorted().first(where: { !known.contains($0) }) {
            throw ConfigurationError(
                description: "\"\(key)\" means nothing; the keys are \(known.joined(separator: ", "))")
        }
        do {
            self = try JSONDecoder().decode(Configuration.self, from: data)
        } catch {
            throw ConfigurationError(description: "style and import are texts, rowCodecs is true or false")
        }
        if let style, ModelStyle(rawValue: style) == nil {
            throw ConfigurationError(description: "style is eager or lazy, not \"\(style)\"")
        }
    }

    /// Sets what the file says and leaves the rest.
    func apply(to options: inout GenerationOptions) {
        if let style = style.flatMap(ModelStyle.init) { options.style = style }
        if let importedModule { options.importedModule = importedModule }
        if let rowCodecs { options.includesRowCodecs = rowCodecs }
    }
}

/// A configuration that means nothing.
struct ConfigurationError: Error, CustomStringConvertible {
    let description: String
}
