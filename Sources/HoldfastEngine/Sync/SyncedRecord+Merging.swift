package import HoldfastStorage

/// An update that the service has merged.
///
/// A service that merges (automerge) answers an update of an older version with its own record, in which it kept each
/// of its scalars, also those that only this update has changed:
///
///     other client: b = 4        version 2
///     this client:  a = 9        based on version 1, a = 0
///     answer:       a = 0, b = 4 version 3
extension SyncedRecord {
    /// Treats what the service's merge has not taken of an update as other edits of one record: a field that only the
    /// update has changed is sent again, and one that others have changed, too, is kept in a dead letter.
    ///
    /// - Parameters:
    ///   - index: The entry of the update.
    ///   - remote: The answer.
    ///   - generation: The number of the model's newest full sync.
    ///   - time: The present, in microseconds since 1970-01-01T00:00Z.
    /// - Returns: Whether the update is sent again, and nothing is left to do with the answer.
    mutating func resumeMerged(_ index: Int, _ remote: RemoteRecord, _ generation: Int64, _ time: Int64) -> Bool {
        let entry = entries[index]
        // The record is as it was: nothing of the update is for the service, which has set those fields itself.
        if remote.version == metadata?.version, remote.lastChangedAt == metadata?.lastChangedAt { return false }
        // A lower version is of a record that was made again since. An update of a deleted record is a conflict, also
        // if it knows the record's version, and so is one that builds on no version.
        let isMerge =
            metadata?.version == 0 || remote.version != (metadata?.version ?? 0) &+ 1 || metadata?.isDeleted == true
        guard entry.operation == .update, isMerge, let answer = remote.row,
            let wanted = entries.after(index, row, of: entity)
        else { return false }
        let before = entry.undone(wanted, of: entity) ?? nil
        // What comes after a deletion is of another life of the record.
        let later = entries[(index + 1)...].prefix { $0.operation == .update }
        if later.isEmpty, index + 1 < entries.count { return false }
        let changedLater = Set(later.flatMap(\.changedFields))
        var again: [Int] = []
        var overruled: [Int] = []
        for field in entry.changedFields where !changedLater.contains(field) {
            guard let position = entity.position(of: field), !readOnlyColumns.contains(position) else { continue }
            let type = entity.fields[position].type
            if type.meansTheSame(answer[position], wanted[position]) { continue }
            // Asked first: a list that no one else has changed may be there twice, and then has all of the change.
            if let before, type.isUnchanged(answer[position], from: before[position], by: wanted[position]) {
                again.append(position)
            } else if !type.holds(answer[position], changedFrom: before?[position], to: wanted[position]) {
                overruled.append(position)
            }
        }
        overruled = overruled.joined(with: jointColumns)
        again = again.joined(with: jointColumns).filter { !overruled.contains($0) }
        if !overruled.isEmpty {
            let part = self.part(of: entry, overruled, from: before, to: wanted)
            keep(
                letter(
                    for: part, "ConflictUnhandled", "The service merged the change and kept its own value.", remote,
                    time))
        }
        giveUp(later.indices, laterThan: index, before, wanted, remote, time)
        if again.isEmpty { return false }
        var row = answer
        for position in again { row[position] = wanted[position] }
        settleRetried(index, remote, row, generation)
        return true
    }

    /// Gives up what later changes set and a service that merges would keep as it is: scalars that others have changed.
    ///
    /// On top of the answer, these changes would replace what others have made of the field:
    ///
    ///     this client:  a = 9 is sent and b = 5 waits, both based on version 1
    ///     other client: b = 4           version 2
    ///     answer:       a = 9, b = 4    version 3
    private mutating func giveUp(
        _ later: Range<Int>, laterThan index: Int, _ before: [Value]?, _ wanted: [Value], _ remote: RemoteRecord,
        _ time: Int64
    ) {
        guard let answer = remote.row else { return }
        let own = entries[index].changedFields
        let kept = entity.fields.indices.filter { position in
            let field = entity.fields[position]
            let (type, value) = (field.type, answer[position])
            guard type.isMergedWhole, !type.meansTheSame(value, wanted[position]) else { return false }
            // What the update has set and the merge has not taken, others need not have changed.
            return !own.contains(field.name) || !type.meansTheSame(value, before?[position] ?? .null)
        }
        var (left, given): ([OutboxEntry], [OutboxEntry]) = ([], [])
        for (number, entry) in zip(later, entries[later]) {
            let all = entry.changedFields.compactMap(entity.position(of:))
            let lost = all.filter(kept.contains).joined(with: jointColumns).filter(all.contains)
            guard !lost.isEmpty, let after = entries.after(number, row, of: entity),
                let before = entry.undone(after, of: entity) ?? nil
            else {
                left.append(entry)
                continue
            }
            // What others have made of it may be what this change makes of it.
            if lost.contains(where: { !entity.fields[$0].type.meansTheSame(answer[$0], after[$0]) }) {
                given.append(part(of: entry, lost, from: before, to: after))
            }
            let rest = all.filter { !lost.contains($0) }
            if !rest.isEmpty { left.append(part(of: entry, rest, from: before, to: nil)) }
        }
        entries.replaceSubrange(later, with: left)
        for part in given {
            keep(letter(for: part, "ConflictUnhandled", "Another change of the field came before.", remote, time))
        }
    }

    /// An entry with some of its fields only.
    ///
    /// - Parameters:
    ///   - entry: An update.
    ///   - fields: The positions of the fields.
    ///   - before: The record before the update.
    ///   - after: The record after it; `nil` to freeze no values.
    /// - Returns: The part of the entry.
    private func part(
        of entry: OutboxEntry, _ fields: [Int], from before: [Value]?, to after: [Value]?
    ) -> OutboxEntry {
        var part = entry
        part.changedFields = fields.map { entity.fields[$0].name }
        part.before = before.map { FieldValues.text($0, fields, of: entity) }
        part.payload = after.map { FieldValues.text($0, fields, of: entity) }
        return part
    }
}

extension FieldType {
    /// Whether a value that a service merged has in it what a change made of the value before.
    ///
    /// Lists do if they have what was added and lack what was taken out: they are appended or united. Objects do if they
    /// have the members that were changed, and lack those that were taken out. Text may be an `AWSJSON`, which models have
    /// as text and a service joins as an object or a list.
    fileprivate func holds(_ merged: Value, changedFrom before: Value?, to wanted: Value) -> Bool {
        switch self {
        case .list(let element, _):
            return Self.elements(merged).holds(
                changedFrom: before.map(Self.elements) ?? [], to: Self.elements(wanted), by: element.meansTheSame)
        case .json, .embedded, .string:
            guard let merged = ExactJSON(merged), let wanted = ExactJSON(wanted), self != .string || wanted.isContainer
            else { return false }
            return merged.holds(changedFrom: before.flatMap { ExactJSON($0) }, to: wanted)
        default: return false
        }
    }

    /// Whether a value that a service merged shows that no one else has changed it: it is as it was before, or what the
    /// service makes of that and the change.
    package func isUnchanged(_ merged: Value, from before: Value, by wanted: Value) -> Bool {
        if meansTheSame(merged, before) { return true }
        switch self {
        case .list:
            let (old, new) = (Self.elements(before), Self.elements(wanted))
            var known = Set(old)
            let united = old + new.filter { known.insert($0).inserted }
            return [old + new, united].contains { meansTheSame(merged, .list($0)) }
        case .json, .embedded, .string:
            guard let merged = ExactJSON(merged), self != .string || merged.isContainer else { return false }
            return merged.isMerged(ExactJSON(before), ExactJSON(wanted))
        default: return false
        }
    }

    /// The elements of a list; none of null.
    private static func elements(_ value: Value) -> [Value] {
        if case .list(let elements) = value { elements } else { [] }
    }
}

extension Array {
    /// Whether a merged list has what a change added to the list before, and lacks what it took out.
    ///
    /// - Complexity: O(n) for what was added at the end and is at the end, otherwise O(n²).
    fileprivate func holds(
        changedFrom before: [Element], to wanted: [Element], by areSame: (Element, Element) -> Bool
    ) -> Bool {
        let kept = zip(before, wanted).prefix { areSame($0, $1) }.count
        var added = wanted[kept...]
        for element in before[kept...] {
            if let index = added.firstIndex(where: { areSame($0, element) }) {
                added.remove(at: index)
            } else if contains(where: { areSame($0, element) }) {
                return false
            }
        }
        return added.allSatisfy { element in reversed().contains { areSame($0, element) } }
    }
}

extension ExactJSON {
    fileprivate init?(_ cell: Value) {
        guard let text = cell.textValue else { return nil }
        self.init(parsing: text)
    }

    /// Whether it is an object or a list, of which a service joins two.
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    fileprivate func holds(changedFrom before: ExactJSON?, to wanted: ExactJSON) -> Bool {
        if self == wanted { return true }
        switch (self, wanted) {
        case (.array(let merged), .array(let wanted)):
            var old: [ExactJSON] = []
            if case .array(let elements)? = before { old = elements }
            return merged.holds(changedFrom: old, to: wanted, by: ==)
        case (.object(let merged), .object(let wanted)):
            var old: [String: ExactJSON] = [:]
            if case .object(let members)? = before { old = members }
            return wanted.allSatisfy { name, value in
                value == old[name] || merged[name]?.holds(changedFrom: old[name], to: value) ?? false
            } && old.keys.allSatisfy { wanted[$0] != nil || merged[$0] == nil }
        default: return false
        }
    }

    /// Whether this is what a service that merges makes of two values: it keeps the first, and joins lists and objects.
    fileprivate func isMerged(_ first: ExactJSON?, _ second: ExactJSON?) -> Bool {
        switch (self, first, second) {
        case (_, nil, _): self == second
        case (_, .null, let second?): self == second
        case (.array(let merged), .array(let first), .array(let second)): merged == first + second
        case (.object(let merged), .object(let first), .object(let second)):
            Set(merged.keys) == Set(first.keys).union(second.keys)
                && merged.allSatisfy { name, value in value.isMerged(first[name], second[name]) }
        default: self == first
        }
    }
}
