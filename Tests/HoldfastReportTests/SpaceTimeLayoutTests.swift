import Testing

@testable import HoldfastReport

@Suite struct SpaceTimeLayoutTests {
    private func content(_ marks: [SpaceTime.Mark], _ messages: [SpaceTime.Message] = []) -> SpaceTime {
        SpaceTime(
            lanes: [.init("a", hasTextOnLeft: true), .init("b", hasTextOnLeft: false)], marks: marks, messages: messages
        )
    }

    @Test func laterIsLower() {
        let layout = SpaceTimeLayout(
            content(
                [.init(lane: 0, at: 10, .edit, "x"), .init(lane: 1, at: 2_000, .edit, "y")],
                [.init(from: 0, to: 1, sentAt: 1_000, arrivedAt: 1_500, .request, "m")]))
        #expect(layout.marks[0] < layout.arrows[0].start)
        #expect(layout.arrows[0].start < layout.arrows[0].end)
        #expect(layout.arrows[0].end < layout.marks[1])
        #expect(layout.height > layout.marks[1])
    }

    @Test func textsOfOneLaneDoNotOverlap() {
        let marks = (0..<30).map { SpaceTime.Mark(lane: 0, at: Int64($0 / 5), .commit, "record \($0)") }
        let layout = SpaceTimeLayout(content(marks))
        for (one, next) in zip(layout.marks, layout.marks.dropFirst()) { #expect(next - one >= SpaceTimeLayout.line) }
        for (one, next) in zip(layout.labels, layout.labels.dropFirst()) {
            #expect(next.y - one.y >= SpaceTimeLayout.line)
        }
    }

    @Test func aLongPauseIsDrawnShortWithItsLength() {
        let hour: Int64 = 3_600_000_000
        let layout = SpaceTimeLayout(
            content([.init(lane: 0, at: 0, .edit, "x"), .init(lane: 0, at: 3 * hour, .edit, "y")]))
        #expect(layout.marks[1] - layout.marks[0] < 60)
        #expect(layout.pauses.map(\.text) == ["3 h later"])
    }

    @Test func aMessageThatIsLostHasAnEnd() {
        let layout = SpaceTimeLayout(
            content([], [.init(from: 0, to: 1, sentAt: 5, arrivedAt: nil, .request, "m")]))
        #expect(layout.arrows[0].end > layout.arrows[0].start)
    }

    @Test func aRunOfNothingIsAnEmptyDrawing() {
        #expect(SpaceTimeLayout(content([])).height > 0)
    }

    @Test func theLastPartOfALongRunIsKept() {
        let all = content(
            (0..<100).map { SpaceTime.Mark(lane: 0, at: Int64($0), .note, "") },
            (0..<100).map { SpaceTime.Message(from: 0, to: 1, sentAt: Int64($0), arrivedAt: nil, .event, "") })
        let last = all.limited(to: 20)
        #expect(last.marks.map(\.at) == Array(90..<100))
        #expect(last.messages.map(\.sentAt) == Array(90..<100))
        #expect(all.limited(to: 200).marks.count == 100)
    }
}
