#if SQLite
import HoldfastModel
import HoldfastStorage

/// Identifiers of records as amplify-swift writes them.
enum AmplifyIdentifier {
    /// The values of an identifier, `nil` if there are not as many as types or one is not of its type.
    ///
    /// A single value is written as it is. Several values are each in quotes, with `#` between them.
    static func values(of identifier: String, types: [StorageType]) -> [Value]? {
        if types.count == 1 { return value(of: identifier, type: types[0]).map { [$0] } }
        guard let texts = identifierTexts(in: identifier), texts.count == types.count else { return nil }
        var values: [Value] = []
        for (text, type) in zip(texts, types) {
            guard let value = value(of: text, type: type) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func value(of text: String, type: StorageType) -> Value? {
        switch type {
        case .integer: Int64(text).map { .integer($0) }
        case .double: Double(text).map { .double($0) }
        case .boolean: Bool(text).map { .boolean($0) }
        case .text, .json, .date, .time, .timestamp: .text(text)
        case .bytes, .list: nil
        }
    }
}
#endif
