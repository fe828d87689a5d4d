public import Foundation

extension Model {
    /// Reads a model from JSON.
    ///
    /// ```swift
    /// let post = try Post.from(json: #"{"id": "p1", "title": "Hold fast", "rating": 5}"#)
    /// ```
    ///
    /// - Parameters:
    ///   - json: An object with the model's fields.
    ///   - decoder: How to read it; by default dates are RFC 3339 text.
    /// - Returns: The model.
    /// - Throws: What the decoder throws.
    public static func from(json: String, decoder: JSONDecoder? = nil) throws -> Self {
        try (decoder ?? JSONCoding.decoder).decode(Self.self, from: Data(json.utf8))
    }

    /// Reads a model from the values of a JSON object.
    ///
    /// - Throws: What `JSONSerialization` and the decoder throw.
    public static func from(dictionary: [String: Any]) throws -> Self {
        guard JSONSerialization.isValidJSONObject(dictionary) else {
            throw ModelError(
                .decodingFailed, "The dictionary for '\(modelName)' contains values that JSON cannot represent.")
        }
        return try JSONCoding.decoder.decode(Self.self, from: JSONSerialization.data(withJSONObject: dictionary))
    }

    /// Writes the model as JSON; by default with sorted keys and dates as RFC 3339 text.
    ///
    /// ```swift
    /// let bookmark = Bookmark(id: "b1", url: "example.org", shelf: .later)
    /// let text = try bookmark.toJSON()  // {"id":"b1","shelf":"later","url":"example.org"}
    /// ```
    ///
    /// - Throws: What the encoder throws.
    public func toJSON(encoder: JSONEncoder? = nil) throws -> String {
        String(decoding: try (encoder ?? JSONCoding.encoder).encode(self), as: UTF8.self)
    }

    /// The value of a stored property by its field's name.
    ///
    /// A relation that is not loaded is the ``LazyReference`` or ``List`` itself.
    ///
    /// - Returns: `nil` if there is no such property, an inner `nil` if it has no value.
    /// - Complexity: Looks at all properties; for one property in code that runs often, use the property.
    public subscript(_ name: String) -> Any?? {
        let instance = (self as? AnyModel)?.instance ?? self
        if let holder = instance as? any JSONValueHolder { return holder.jsonValue(for: name) }
        guard let value = instance.property(name) else { return nil }
        if let optional = value as? any OptionalType { return .some(optional.wrappedValue) }
        return .some(.some(value))
    }

    /// A stored property by its field's name, or `nil` if there is none.
    func property(_ name: String) -> Any? {
        let mirror = Mirror(reflecting: self)
        for wanted in [name, "_" + name] {
            if let child = mirror.children.first(where: { $0.label == wanted }) { return child.value }
        }
        return nil
    }
}

extension Array where Element: Model {
    /// The only element, or `nil` if there is none.
    ///
    /// - Throws: ``ModelError`` `.notUnique` if there are several.
    public func unique() throws -> Element? {
        guard count <= 1 else {
            throw ModelError(.notUnique, "\(count) records of '\(Element.modelName)' were found where one is expected.")
        }
        return first
    }
}
