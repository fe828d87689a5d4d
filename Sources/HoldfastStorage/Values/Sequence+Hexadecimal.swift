extension Sequence<UInt8> {
    /// The bytes as two hexadecimal digits each, in lower case.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The bytes as a part of the text of a key: hexadecimal digits without leading zeros, with commas between.
    ///
    /// Stores have keys in this form, so it stays.
    package var keyText: String { map { String($0, radix: 16) }.joined(separator: ",") }
}
