public import Foundation

extension JSONDecoder {
    /// Creates a decoder that reads dates in a way, such as that of `ModelDateFormatting`.
    public convenience init(dateDecodingStrategy: JSONDecoder.DateDecodingStrategy) {
        self.init()
        self.dateDecodingStrategy = dateDecodingStrategy
    }
}

extension JSONEncoder {
    /// Creates an encoder that writes dates in a way, such as that of `ModelDateFormatting`.
    public convenience init(dateEncodingStrategy: JSONEncoder.DateEncodingStrategy) {
        self.init()
        self.dateEncodingStrategy = dateEncodingStrategy
    }
}
