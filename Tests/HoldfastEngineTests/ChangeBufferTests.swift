import HoldfastConformance
import HoldfastStorage
import HoldfastTestSupport
import Testing

@testable import HoldfastEngine

@Suite struct ChangeBufferTests {
    static let entity = EntitySchema("E", fields: [FieldSchema("id", .string), FieldSchema("value", .int)])

    static func set(_ sequence: UInt64, _ changes: [(ChangeKind, String, Int)]) -> ChangeSet {
        var rows = RowBuffer(columnCount: 2)
        for (_, id, value) in changes { rows.append([.text(id), .integer(Int64(value))]) }
        return ChangeSet(sequence: sequence, entity: entity, kinds: changes.map(\.0), rows: rows)
    }

    static func texts(_ sets: [ChangeSet]) -> [String] {
        sets.flatMap { set in
            set.kinds.indices.map { row in
                guard case .text(let id) = set.rows[row, 0], case .integer(let value) = set.rows[row, 1] else {
                    return "?"
                }
                return "\(set.kinds[row]) \(id)=\(value)"
            }
        }
    }

    /// Changes of other records, so many that everything is folded.
    static let filler = set(1_000, (0..<ChangeBuffer.foldingThreshold).map { (.updated, "filler\($0)", 0) })

    @Test func upToItsCapacityEveryChangeIsKept() {
        var buffer = ChangeBuffer()
        for number in 0..<ChangeBuffer.foldingThreshold {
            buffer.append(Self.set(UInt64(number), [(.updated, "a", number)]))
        }
        let sets = buffer.take()
        #expect(sets.map(\.sequence) == (0..<UInt64(ChangeBuffer.foldingThreshold)).map { $0 })
        #expect(Self.texts(sets).last == "updated a=\(ChangeBuffer.foldingThreshold - 1)")
        #expect(buffer.take().isEmpty)
    }

    @Test func beyondItsCapacityTheNewestStateOfEachRecordIsKept() {
        var buffer = ChangeBuffer()
        for number in 0...ChangeBuffer.foldingThreshold {
            buffer.append(Self.set(UInt64(number), [(.updated, number.isMultiple(of: 2) ? "a" : "b", number)]))
        }
        buffer.fold()
        let sets = buffer.take()
        #expect(
            Self.texts(sets) == [
                "updated a=\(ChangeBuffer.foldingThreshold)", "updated b=\(ChangeBuffer.foldingThreshold - 1)",
            ])
        #expect(sets.last?.sequence == UInt64(ChangeBuffer.foldingThreshold))
    }

    @Test(
        arguments: [
            ([.created, .updated], "created a=1"), ([.created, .deleted], nil), ([.updated, .updated], "updated a=1"),
            ([.updated, .deleted], "deleted a=1"), ([.deleted, .created], "updated a=1"),
            ([.created, .deleted, .created], "created a=2"), ([.deleted, .created, .deleted], "deleted a=2"),
            ([.created, .updated, .deleted], nil), ([.updated, .deleted, .created, .updated], "updated a=3"),
            ([.created, .deleted, .created, .deleted], nil),
        ] as [([ChangeKind], String?)])
    func changesOfOneRecordFold(kinds: [ChangeKind], folded: String?) {
        var buffer = ChangeBuffer()
        for (number, kind) in kinds.enumerated() { buffer.append(Self.set(UInt64(number), [(kind, "a", number)])) }
        buffer.append(Self.filler)
        buffer.fold()
        let texts = Self.texts(buffer.take())
        #expect(texts.filter { $0.contains(" a=") } == (folded.map { [$0] } ?? []))
        #expect(texts.count == ChangeBuffer.foldingThreshold + (folded == nil ? 0 : 1))
    }

    @Test func changesOfOneRecordFoldWithinOneCommitToo() {
        var buffer = ChangeBuffer()
        buffer.append(Self.set(1, [(.created, "a", 1), (.created, "b", 1)]))
        buffer.append(Self.set(2, [(.deleted, "b", 1), (.updated, "a", 2)]))
        buffer.append(Self.filler)
        buffer.fold()
        #expect(Self.texts(buffer.take()).prefix(2) == ["created a=2", "updated filler0=0"])
    }

    /// It is still stored, and an update shows it only if its parent is there when the update is read.
    @Test func whatIsHiddenAndUpdatedIsBothAfterFolding() {
        var buffer = ChangeBuffer()
        var hidden = Self.set(1, [(.deleted, "a", 1), (.deleted, "b", 1)])
        hidden.areHidden = true
        hidden.deletedTogether = DeletedRecords(by: [])
        buffer.append(hidden)
        buffer.append(Self.set(2, [(.updated, "a", 2)]))
        buffer.append(Self.set(3, [(.updated, "a", 3)]))
        buffer.append(Self.filler)
        buffer.fold()
        let sets = buffer.take()
        #expect(Self.texts(sets).prefix(3) == ["deleted a=1", "deleted b=1", "updated a=3"])
        #expect(sets.map(\.areHidden) == [true, false])
        #expect(sets.map { $0.deletedTogether == nil } == [false, true])
    }

    /// A change counts as the service's unless the application has changed the same record, too.
    @Test func recordsKeepWhoChangedThemAfterFolding() {
        var buffer = ChangeBuffer()
        var remote = Self.set(1, [(.updated, "a", 1), (.updated, "b", 1), (.deleted, "c", 1)])
        (remote.origin, remote.serviceVersions) = (.remote, [4, 5, 6])
        buffer.append(remote)
        buffer.append(Self.set(2, [(.updated, "b", 2), (.created, "d", 2), (.deleted, "e", 2)]))
        buffer.append(Self.filler)
        buffer.fold()
        let sets = buffer.take()
        let remotes = Self.texts(sets.filter { $0.origin == .remote })
        #expect(remotes == ["deleted c=1", "updated a=1"])
        #expect(sets.filter { $0.origin == .remote }.map(\.serviceVersions) == [[6], [4]])
        let locals = Self.texts(sets.filter { $0.origin == .local })
        #expect(locals.prefix(3) == ["deleted e=2", "updated b=2", "created d=2"])
    }

    @Test func moreRecordsThanTheThresholdAreAllKept() {
        var buffer = ChangeBuffer()
        let count = ChangeBuffer.foldingThreshold * 3
        for number in 0..<count {
            buffer.append(Self.set(UInt64(number), [(.created, "r\(number)", number)]))
            buffer.fold()
        }
        #expect(Self.texts(buffer.take()) == (0..<count).map { "created r\($0)=\($0)" })
    }

    @Test func beyondItsCapacityEverythingIsGivenUpUntilItIsTaken() {
        var buffer = ChangeBuffer()
        let count = ChangeBuffer.capacity + 2
        for number in 0..<count {
            buffer.append(Self.set(UInt64(number), [(.created, "r\(number)", number)]))
            buffer.fold()
        }
        #expect(buffer.rowCount == 0)
        let taken = buffer.take()
        #expect(taken.map(\.knowledge) == [.missed])
        #expect(taken.map(\.sequence) == [UInt64(count - 1)])
        #expect(buffer.isEmpty)
        buffer.append(Self.set(UInt64(count), [(.created, "next", 1)]))
        #expect(Self.texts(buffer.take()) == ["created next=1"])
    }

    /// Batches are not given up because they are large, only because others wait.
    @Test func oneCommitMayBeLargerThanTheCapacity() {
        var buffer = ChangeBuffer()
        buffer.append(Self.set(1, (0...ChangeBuffer.capacity).map { (.created, "r\($0)", 0) }))
        #expect(buffer.take().map(\.kinds.count) == [ChangeBuffer.capacity + 1])
    }

    @Test func noPartOfACommitIsGivenUp() {
        var buffer = ChangeBuffer()
        let many = Self.set(1, (0...ChangeBuffer.capacity).map { (.created, "r\($0)", 0) })
        buffer.append([many, Self.set(1, [(.deleted, "a", 0)]), Self.set(1, [(.created, "b", 0)])])
        #expect(buffer.take().map(\.knowledge) == [.certain, .certain, .certain])
    }

    /// The sets of a commit have the same records, each of which counts once, before and after folding.
    @Test func whatWasDeletedTogetherCountsOnce() {
        let count = ChangeBuffer.foldingThreshold + 1
        let other = Self.set(1, [(.deleted, "other", 0)])
        var commit = (0..<count).map { Self.set(1, [(.deleted, "r\($0)", 0)]) }
        let deleted = DeletedRecords(by: commit + [other])
        for index in commit.indices { commit[index].deletedTogether = deleted }
        commit.countDeletedTogether()
        var buffer = ChangeBuffer()
        buffer.append(commit)
        #expect(buffer.rowCount == count + 1)
        buffer.fold()
        #expect(buffer.rowCount == count + 1)
        #expect(buffer.take().map(\.kinds.count) == [count])
        #expect(buffer.rowCount == 0)
    }

    /// Folding never ends: what is held stays bounded all the same.
    @Test func changesThatAreNotFoldedInTimeAreGivenUp() {
        var buffer = ChangeBuffer()
        var most = 0
        for number in 0..<200_000 {
            buffer.append(Self.set(UInt64(number), [(.updated, "a", number)]))
            if number == 20_000 { _ = buffer.beginFolding() }
            most = max(most, buffer.rowCount)
        }
        #expect(most == ChangeBuffer.capacity + 1)
        #expect(buffer.take().map(\.knowledge) == [.missed])
    }

    /// Every commit that touches the outbox says only that any of its records may have changed.
    @Test(arguments: [false, true])
    func setsWithoutRowsDoNotPileUp(folds: Bool) {
        var buffer = ChangeBuffer()
        let entities = [Self.entity, EntitySchema("F", fields: [FieldSchema("id", .string)])]
        let last = UInt64(ChangeBuffer.capacity)
        for number in 0...last {
            for entity in entities { buffer.append(.missed(entity, through: number)) }
            if folds { buffer.fold() }
        }
        let taken = buffer.take()
        #expect(taken.count <= (folds ? ChangeBuffer.foldingThreshold : 0) + entities.count)
        #expect(taken.allSatisfy { $0.knowledge == .missed })
        #expect(taken.suffix(2).map(\.entity.name) == ["E", "F"])
        #expect(taken.suffix(2).map(\.sequence) == [last, last])
        #expect(buffer.isEmpty && buffer.rowCount == 0)
    }

    @Test func whatIsTakenWhileItIsFoldedIsTakenOnce() throws {
        var buffer = ChangeBuffer()
        for number in 0...ChangeBuffer.foldingThreshold {
            buffer.append(Self.set(UInt64(number), [(.updated, "a", number)]))
        }
        let begun = buffer.beginFolding()
        let folding = try #require(begun)
        buffer.append(Self.set(99_999, [(.updated, "a", -1)]))
        let taken = buffer.take(atMost: 3)
        buffer.endFolding(folding, folding.folded())
        let texts = Self.texts(taken + buffer.take())
        #expect(texts.count == ChangeBuffer.foldingThreshold + 2)
        #expect(texts.first == "updated a=0" && texts.last == "updated a=-1")
    }

    /// A consumer that is slow but takes changes all the time does not keep the others from being folded.
    @Test func changesAreFoldedWhileSomeAreTaken() {
        var buffer = ChangeBuffer()
        var texts: [String] = []
        for number in 0..<60_000 {
            buffer.append(Self.set(UInt64(number), [(.updated, "r\(number % 10)", number)]))
            guard let folding = buffer.beginFolding() else { continue }
            texts += Self.texts(buffer.take(atMost: 1))
            buffer.endFolding(folding, folding.folded())
            #expect(buffer.rowCount <= 3 * ChangeBuffer.foldingThreshold)
        }
        let rest = buffer.take()
        #expect(rest.allSatisfy { $0.knowledge == .certain } && buffer.rowCount == 0 && buffer.isEmpty)
        texts += Self.texts(rest)
        #expect(texts.count < 3 * ChangeBuffer.foldingThreshold)
        var newest: [String: Int] = [:]
        for text in texts.map({ $0.split(separator: "=") }) {
            let number = Int(text[1]) ?? -1
            #expect(number > newest[String(text[0])] ?? -1)
            newest[String(text[0])] = number
        }
        #expect(newest.count == 10 && newest.values.allSatisfy { $0 >= 59_990 })
    }

    @Test func whatIsPutBackWhileTheRestIsFoldedComesFirst() throws {
        var buffer = ChangeBuffer()
        for number in 0...ChangeBuffer.foldingThreshold {
            buffer.append(Self.set(UInt64(number), [(.updated, "a", number)]))
        }
        let taken = buffer.take(atMost: 3)
        for number in 0...ChangeBuffer.foldingThreshold {
            buffer.append(Self.set(99_999, [(.updated, "a", -number)]))
        }
        let begun = buffer.beginFolding()
        let folding = try #require(begun)
        buffer.putBack(taken)
        #expect(buffer.rowCount == 2 * (ChangeBuffer.foldingThreshold + 1))
        buffer.endFolding(folding, folding.folded())
        let texts = Self.texts(buffer.take())
        let last = "updated a=-\(ChangeBuffer.foldingThreshold)"
        #expect(texts == (0..<3).map { "updated a=\($0)" } + [last])
        #expect(buffer.rowCount == 0)
    }

    @Test func whatIsPutBackAfterTheRestWasGivenUpIsGivenUpToo() {
        var buffer = ChangeBuffer()
        buffer.append(Self.set(1, [(.created, "a", 1)]))
        let taken = buffer.take()
        for number in 0..<ChangeBuffer.capacity + 2 {
            buffer.append(Self.set(UInt64(number + 2), [(.updated, "a", number)]))
        }
        buffer.putBack(taken)
        #expect(buffer.take().map(\.knowledge) == [.missed])
        #expect(buffer.isEmpty && buffer.rowCount == 0)
    }

    /// The rows that folding looks at grow with the changes, not with their square.
    @Test func foldingIsLinearInTheChanges() {
        var buffer = ChangeBuffer()
        var folded = 0
        var most = 0
        for number in 0..<100_000 {
            let kind: ChangeKind = number.isMultiple(of: 2) ? .created : .deleted
            var set = Self.set(UInt64(number), [(kind, "r", number)])
            if kind == .deleted { set.deletedTogether = DeletedRecords(by: [set]) }
            buffer.append(set)
            most = max(most, buffer.rowCount)
            guard let folding = buffer.beginFolding() else { continue }
            folded += buffer.rowCount
            buffer.endFolding(folding, folding.folded())
        }
        #expect(folded <= 100_000 * 3)
        #expect(most <= ChangeBuffer.foldingThreshold + 2)
    }

    @Test func aChangeThatMayHaveHappenedMakesItsEntityUnknownWhenItIsFolded() {
        var buffer = ChangeBuffer()
        var set = Self.set(1, [(.created, "a", 1)])
        set.knowledge = .mayHaveHappened
        buffer.append(set)
        buffer.append(Self.filler)
        buffer.append(Self.set(1_001, [(.updated, "a", 2)]))
        buffer.fold()
        #expect(buffer.take().map(\.knowledge) == [.missed])
    }

    /// However changes come and are folded, replaying them gives the records as they are at last.
    @Test(arguments: 0..<20)
    func replayingWhatIsLeftGivesTheNewestState(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var buffer = ChangeBuffer()
        var state: [String: Int] = [:]
        var replayed: [String: Int] = [:]
        for number in 0..<15_000 {
            let id = "r\(random.below(50))"
            let kind: ChangeKind = state[id] == nil ? .created : random.chance(40) ? .deleted : .updated
            buffer.append(Self.set(UInt64(number), [(kind, id, number)]))
            if random.below(3) == 0 { buffer.fold() }
            state[id] = kind == .deleted ? nil : number
            if random.below(6_000) == 0 { Self.replay(buffer.take(), on: &replayed) }
        }
        Self.replay(buffer.take(), on: &replayed)
        #expect(replayed == state)
    }

    static func replay(_ sets: [ChangeSet], on state: inout [String: Int]) {
        for set in sets {
            for row in set.kinds.indices {
                guard case .text(let id) = set.rows[row, 0], case .integer(let value) = set.rows[row, 1] else {
                    continue
                }
                switch set.kinds[row] {
                case .created: #expect(state.updateValue(Int(value), forKey: id) == nil)
                case .updated: #expect(state.updateValue(Int(value), forKey: id) != nil)
                case .deleted: #expect(state.removeValue(forKey: id) != nil)
                }
            }
        }
    }
}

extension ChangeBuffer {
    /// Adds a commit of one set.
    mutating func append(_ changes: ChangeSet) { append([changes]) }

    /// Folds at once, if it is time.
    mutating func fold() {
        if let folding = beginFolding() { endFolding(folding, folding.folded()) }
    }
}
