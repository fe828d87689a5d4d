import HoldfastStorage

/// What failures say about values: bounded, from the first difference on, and without the names of Swift's types.
enum ValueText {
    /// The most characters that one value takes.
    private static let limit = 300
    /// The most elements shown of a list.
    private static let elementLimit = 8

    /// What was expected and what came instead, in a form that shows the difference.
    static func difference<T>(_ expected: T, _ actual: T) -> String {
        guard let expected = elements(expected), let actual = elements(actual) else {
            return "expected \(text(expected)), got \(text(actual))"
        }
        let start = zip(expected, actual).prefix { text($0) == text($1) }.count
        var counts = "expected \(expected.count) elements, got \(actual.count)"
        if start > 0 { counts += "; the first \(start) are equal" }
        return "\(counts)\n    expected \(list(expected[start...]))\n    got      \(list(actual[start...]))"
    }

    /// A value as it is written in messages.
    static func text(_ value: Any) -> String {
        let text = fullText(value)
        return text.count <= limit ? text : "\(text.prefix(limit))… (\(text.count) characters)"
    }

    /// A bound of a range as it is written in messages.
    static func bound(_ bound: KeyRange.Bound) -> String {
        switch bound {
        case .unbounded: "the end"
        case .included(let prefix): "\(text(prefix))"
        case .excluded(let prefix): "\(text(prefix)), excluded"
        }
    }

    private static func fullText(_ value: Any) -> String {
        if let row = value as? StoredRow { return "\(fullText(row.cells)) version \(row.version)" }
        if let value = value as? Value { return SwiftText.value(value) }
        if let values = value as? [Value] { return SwiftText.list(values) }
        if let key = value as? RecordKey { return SwiftText.list(key.components) }
        if let text = value as? String { return "\"\(text)\"" }
        if let name = value as? any RawRepresentable<String> { return name.rawValue }
        if let elements = elements(value) { return "[\(elements.map(fullText).joined(separator: ", "))]" }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { fullText($0.value) } ?? "nothing"
        case .tuple: return "(\(mirror.children.map { fullText($0.value) }.joined(separator: ", ")))"
        default: return "\(value)"
        }
    }

    private static func elements(_ value: Any) -> [Any]? {
        if value is [Value] || value is String { return nil }
        return value as? [Any]
    }

    private static func list(_ elements: ArraySlice<Any>) -> String {
        if elements.isEmpty { return "no more" }
        let shown = elements.prefix(elementLimit).map(text).joined(separator: "\n             ")
        let rest = elements.count - elementLimit
        return rest > 0 ? "\(shown)\n             … and \(rest) more" : shown
    }
}
