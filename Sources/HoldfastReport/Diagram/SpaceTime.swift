/// What a space-time diagram shows: who takes part, what happens to each, and the messages between them.
package struct SpaceTime: Sendable {
    /// One that takes part.
    package struct Lane: Sendable {
        /// Its name.
        package var name: String
        /// Whether the texts beside it are on its left.
        package var hasTextOnLeft: Bool

        package init(_ name: String, hasTextOnLeft: Bool) {
            self.name = name
            self.hasTextOnLeft = hasTextOnLeft
        }
    }

    /// Something that happens in one place, or everywhere.
    package struct Mark: Sendable {
        /// What it is, which decides its shape.
        package enum Kind: String, Sendable, CaseIterable { case edit, commit, fault, note, violation }

        /// The lane; `nil` for everywhere.
        package var lane: Int?
        /// When, in microseconds.
        package var at: Int64
        /// What it is.
        package var kind: Kind
        /// What it is, in words.
        package var text: String

        package init(lane: Int?, at: Int64, _ kind: Kind, _ text: String) {
            self.lane = lane
            self.at = at
            self.kind = kind
            self.text = text
        }
    }

    /// Something that goes from one lane to another.
    package struct Message: Sendable {
        /// What it is, which decides its line.
        package enum Kind: String, Sendable { case request, answer, event }

        /// The lane that it leaves.
        package var from: Int
        /// The lane that it goes to.
        package var to: Int
        /// When it leaves, in microseconds.
        package var sentAt: Int64
        /// When it arrives; `nil` if it never does.
        package var arrivedAt: Int64?
        /// What it is.
        package var kind: Kind
        /// What it says.
        package var text: String

        package init(from: Int, to: Int, sentAt: Int64, arrivedAt: Int64?, _ kind: Kind, _ text: String) {
            self.from = from
            self.to = to
            self.sentAt = sentAt
            self.arrivedAt = arrivedAt
            self.kind = kind
            self.text = text
        }
    }

    /// From left to right.
    package var lanes: [Lane]
    /// In the order in which they happen.
    package var marks: [Mark]
    /// In the order in which they leave.
    package var messages: [Message]

    package init(lanes: [Lane], marks: [Mark], messages: [Message]) {
        self.lanes = lanes
        self.marks = marks
        self.messages = messages
    }

    /// The same with the last marks and messages only, up to a number of them.
    package func limited(to count: Int) -> SpaceTime {
        let times = (marks.map(\.at) + messages.map(\.sentAt)).sorted()
        guard times.count > count else { return self }
        let first = times[times.count - count]
        var result = self
        result.marks.removeAll { $0.at < first }
        result.messages.removeAll { $0.sentAt < first }
        return result
    }
}
