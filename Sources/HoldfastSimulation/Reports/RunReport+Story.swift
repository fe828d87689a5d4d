extension RunReport {
    /// What people do and what goes wrong, and what becomes of the record that the first violation names, in lines.
    ///
    /// Empty unless the timeline was asked for.
    public var story: [String] {
        let record = recordInDoubt
        let steps = marks.compactMap { mark -> (at: Int64, line: String)? in
            switch mark.kind {
            case .edit, .fault: (mark.at, mark.place.words(mark.text))
            case .violation: (mark.at, "VIOLATION " + mark.place.words(mark.text))
            case .commit:
                Self.records(in: mark.text).first { $0.name == record }
                    .map { (mark.at, "\(mark.place.name) commits \($0.text)") }
            case .note, .detail: nil
            }
        }
        let deliveries = messages.compactMap { message -> (at: Int64, line: String)? in
            guard let record, record.isSubject(of: message.text) else { return nil }
            let end = message.arrivedAt == nil ? ", lost" : ""
            return (message.sentAt, "\(message.from.name) to \(message.to.name): \(message.text)\(end)")
        }
        return (steps + deliveries).enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map { RunNotes.line($0.element.line, at: $0.element.at) }
    }

    private struct RecordName: Hashable {
        var model: Substring
        var key: Substring

        /// Whether a message is about the record, as the words of its operation say.
        func isSubject(of message: String) -> Bool {
            let words = message.split(separator: " ")
            return words.count > 1 && words[0].hasSuffix(model) && words[1] == key
        }
    }

    /// The record that the first violation names.
    private var recordInDoubt: RecordName? {
        guard let violation = violations.first else { return nil }
        let words = violation.split(separator: " ")
        let known = Set(marks.filter { $0.kind == .commit }.flatMap { Self.records(in: $0.text).map(\.name) })
        return zip(words, words.dropFirst()).lazy.map { RecordName(model: $0, key: $1) }.first(where: known.contains)
    }

    /// The records that a commit changes, each with what is said of it.
    private static func records(in commit: String) -> [(name: RecordName, text: Substring)] {
        commit.split(separator: ",").compactMap { part in
            let words = part.split(separator: " ")
            return words.count > 1 ? (RecordName(model: words[0], key: words[1]), part.drop { $0 == " " }) : nil
        }
    }
}
