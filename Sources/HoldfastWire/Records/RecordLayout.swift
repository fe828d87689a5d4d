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
        /// All names as they are written, with quotes and colon, one after the other, so that comparing touches no
        /// object.
        private var written: [UInt8] = []
        private var ends: [Int] = []
        private(set) var roles: [Role] = []

        mutating func append(_ name: String, _ role: Role) {
            written.append(contentsOf: "\"\(name)\":".utf8)
            ends.append(written.count)
            roles.append(role)
        }

        /// The name of a member.
        func name(at position: Int) -> String {
            String(decoding: written[start(of: position) &+ 1..<ends[position] &- 2], as: UTF8.self)
        }

        /// How many bytes the name and colon of a member take if they begin a text without any space; otherwise `nil`.
        @inline(__always)
        func length(of position: Int, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
            guard position < ends.count else { return nil }
            let start = start(of: position)
            let count = ends[position] &- start
            guard offset &+ count <= bytes.count else { return nil }
            for index in 0..<count where written[start &+ index] != bytes[offset &+ index] { return nil }
            return count
        }

        /// The position of a name; `nil` if no member has it.
        func position(of name: UnsafeBufferPointer<UInt8>) -> Int? {
            ends.indices.first { position in
                written[start(of: position) &+ 1..<ends[position] &- 2].elementsEqual(name)
            }
        }

        @inline(__always)
        private func start(of position: Int) -> Int { position == 0 ? 0 : ends[position &- 1] }
    }

    let members: Members
    let relations: [Members]
    let types: [FieldType]
    let kinds: [CellKind]
    let isRequired: [Bool]
    let keyColumns: [Int]
    /// The names of the columns, for errors.
    let names: [String]
    /// The names of the relations whose keys are in no other member.
    let relationsWithKeys: [String]

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
        relationsWithKeys = relations.filter { !$0.keys.isEmpty }.map(\.name)
    }

    /// The columns of a field, or of the key of a related record; none for another member.
    func columns(of name: String) -> [Int] {
        var name = name
        guard let position = name.withUTF8(members.position(of:)) else { return [] }
        switch members.roles[position] {
        case .column(let column): return [column]
        case .relation(let number):
            return relations[number].roles.compactMap { if case .column(let column) = $0 { column } else { nil } }
        default: return []
        }
    }
}
