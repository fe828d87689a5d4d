import HoldfastStorage

/// Where the members of a service's records go in a row, compiled once for each model.
final class RecordLayout: Sendable {
    /// What a member of a record is.
    enum Role: Sendable {
        case column(Int)
        /// A related record, whose key fields go to columns; the position among ``relations``.
        case relation(Int)
        case version, lastChangedAt, isDeleted, ignored
    }

    /// The members of one object, in the order in which they are expected.
    struct Members: Sendable {
        /// All names, one after the other, so that comparing touches no object.
        private var names: [UInt8] = []
        private var ends: [Int] = []
        private(set) var roles: [Role] = []

        mutating func append(_ name: String, _ role: Role) {
            names.append(contentsOf: name.utf8)
            ends.append(names.count)
            roles.append(role)
        }

        /// The position of a name, first looked for at `guess`; `nil` if no member has it.
        @inline(__always)
        func position(of name: JSONName, guess: Int) -> Int? {
            if guess < roles.count, matches(name, guess) { return guess }
            return roles.indices.first { matches(name, $0) }
        }

        @inline(__always)
        private func matches(_ name: JSONName, _ position: Int) -> Bool {
            let start = position == 0 ? 0 : ends[position &- 1]
            guard ends[position] &- start == name.bytes.count else { return false }
            for index in 0..<name.bytes.count where names[start &+ index] != name.bytes[index] { return false }
            return true
        }
    }

    let members: Members
    let relations: [Members]
    let types: [FieldType]
    let kinds: [CellKind]
    let isRequired: [Bool]
    let keyColumns: [Int]
    /// The names of the columns, for errors.
    let names: [String]

    init(
        columns: [WireColumn], keyColumns: [Int], relations: [(name: String, keys: [(name: String, column: Int)])],
        selection: [String]
    ) {
        var members = Members()
        var roles: [String: Role] = [
            "_version": .version, "_lastChangedAt": .lastChangedAt, "_deleted": .isDeleted, "__typename": .ignored,
        ]
        var compiled: [Members] = []
        for (position, relation) in relations.enumerated() {
            roles[relation.name] = .relation(position)
            var keys = Members()
            for key in relation.keys { keys.append(key.name, .column(key.column)) }
            compiled.append(keys)
        }
        // A column of its own is surer than the key of a related record, which the service may hide.
        for (position, column) in columns.enumerated() { roles[column.wireName] = .column(position) }
        for name in selection + roles.keys.filter({ !selection.contains($0) }).sorted() {
            members.append(name, roles[name] ?? .ignored)
        }
        self.members = members
        self.relations = compiled
        types = columns.map(\.type)
        kinds = columns.map { CellKind($0.type) }
        isRequired = columns.map(\.isRequired)
        names = columns.map(\.wireName)
        self.keyColumns = keyColumns
    }
}
