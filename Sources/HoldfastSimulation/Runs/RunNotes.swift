/// What happens in a run, as it is reported.
///
/// Unchecked because everything happens on one thread.
final class RunNotes: @unchecked Sendable {
    private let simulator: Simulator
    /// Whether everything that happens is kept.
    let keepsTimeline: Bool
    private(set) var timeline: [String] = []
    private(set) var violations: [String] = []
    private(set) var marks: [RunMark] = []
    private(set) var messages: [RunMessage] = []

    init(_ simulator: Simulator, keepsTimeline: Bool) {
        self.simulator = simulator
        self.keepsTimeline = keepsTimeline
    }

    /// Records something that is part of the run's trace.
    ///
    /// What it says is put into words only for a timeline: that takes longer than many jobs.
    func add(_ text: @autoclosure () -> String, _ place: RunPlace = .everywhere, _ kind: RunMark.Kind = .note) {
        simulator.note(place.number << 8 | kind.number)
        guard keepsTimeline else { return }
        let text = text()
        timeline.append(Self.line(place.words(text), at: simulator.now))
        mark(text, place, kind)
    }

    /// Records something that must never happen.
    func violation(_ text: String, _ place: RunPlace = .everywhere) {
        let words = place.words(text)
        simulator.note(place.number << 8 | RunMark.Kind.violation.number)
        // One defect may show itself everywhere.
        if violations.count < 20 { violations.append(words) }
        timeline.append(Self.line("VIOLATION " + words, at: simulator.now))
        mark(text, place, .violation)
    }

    /// A line of a timeline.
    static func line(_ words: String, at microseconds: Int64) -> String {
        let milliseconds = microseconds / 1_000
        let digits = "\(milliseconds % 1_000)"
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - digits.count) + "\(digits) \(words)"
    }

    /// Records something that only a diagram shows.
    func mark(_ text: @autoclosure () -> String, _ place: RunPlace, _ kind: RunMark.Kind) {
        guard keepsTimeline else { return }
        marks.append(RunMark(at: simulator.now, place: place, kind: kind, text: text()))
    }

    /// Records a message, for a diagram.
    ///
    /// - Parameters:
    ///   - kind: What kind of message it is.
    ///   - sender: Who sends it.
    ///   - receiver: Who receives it.
    ///   - start: When it left.
    ///   - end: When it arrived; `nil` if it never does.
    ///   - text: What it says, in a few words.
    func message(
        _ kind: RunMessage.Kind, from sender: RunPlace, to receiver: RunPlace, sentAt start: Int64,
        arrivedAt end: Int64?,
        _ text: @autoclosure () -> String
    ) {
        guard keepsTimeline else { return }
        messages.append(
            RunMessage(from: sender, to: receiver, sentAt: start, arrivedAt: end, kind: kind, text: text()))
    }

    /// The notes of one place.
    func notes(of place: RunPlace) -> PlaceNotes { PlaceNotes(notes: self, place: place) }
}

/// What happens in one place of a run.
struct PlaceNotes: Sendable {
    let notes: RunNotes
    let place: RunPlace

    /// Records something that is part of the run's trace.
    func callAsFunction(_ text: @autoclosure () -> String, _ kind: RunMark.Kind = .note) {
        notes.add(text(), place, kind)
    }

    /// Records something that must never happen.
    func violation(_ text: String) { notes.violation(text, place) }
}

extension RunMark.Kind {
    /// A number that no other kind has.
    fileprivate var number: UInt64 {
        switch self {
        case .edit: 0
        case .fault: 1
        case .commit: 2
        case .note: 3
        case .detail: 4
        case .violation: 5
        }
    }
}

extension RunPlace {
    /// A number that no other place has.
    fileprivate var number: UInt64 {
        switch self {
        case .everywhere: 0
        case .client(let number): 1 + 2 * UInt64(number)
        case .server(let number): 2 + 2 * UInt64(number)
        }
    }

    /// A text that says which client it is about.
    func words(_ text: String) -> String {
        if case .client = self { "\(name) \(text)" } else { text }
    }

    /// What a timeline calls it.
    var name: String {
        switch self {
        case .everywhere: "service"
        case .client(let number): "c\(number)"
        case .server(let number): "server \(number)"
        }
    }
}
