/// Comparisons of bytes.
enum WireText {
    /// Whether two texts have the same bytes; `==` of `String` also equates other spellings of a character.
    static func areEqual(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
