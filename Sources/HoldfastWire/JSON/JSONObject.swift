/// The members of a JSON object, in the order in which they are written.
public struct JSONObject: Sendable, Hashable {
    /// One member.
    public struct Member: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: WireValue

        /// Creates a member.
        public init(_ name: String, _ value: WireValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members; no two have the same name.
    public private(set) var members: [Member] = []

    /// Creates an object without members.
    public init() {}

    /// The value of a member, or `nil`; setting it replaces the member in its place, appends it, or removes it.
    ///
    /// - Complexity: O(n) in the members.
    public subscript(_ name: String) -> WireValue? {
        get { position(of: name).map { members[$0].value } }
        set {
            switch (position(of: name), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): members.remove(at: position)
            case (nil, let value?): members.append(Member(name, value))
            case (nil, nil): break
            }
        }
    }

    /// Adds the members of another object after those that are here.
    ///
    /// - Parameters:
    ///   - other: What to add.
    ///   - combine: The value of a member that both have, of the one here and the other one.
    /// - Complexity: O(n) in the members of both.
    package mutating func merge(_ other: JSONObject, _ combine: (WireValue, WireValue) -> WireValue) {
        let count = members.count
        var positions: [[UInt8]: Int] = [:]
        // An index is worth its making only if there is much to search.
        let isIndexed = count > 16
        if isIndexed { for index in 0..<count { positions[Array(members[index].name.utf8)] = index } }
        for member in other.members {
            let position =
                isIndexed
                ? positions[Array(member.name.utf8)]
                : members[..<count].firstIndex { WireText.areEqual($0.name, member.name) }
            if let position {
                members[position].value = combine(members[position].value, member.value)
            } else {
                append(unique: member.name, member.value)
            }
        }
    }

    /// Appends a member whose name is known to be new.
    package mutating func append(unique name: String, _ value: WireValue) { members.append(Member(name, value)) }

    private func position(of name: String) -> Int? {
        members.firstIndex { WireText.areEqual($0.name, name) }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of members; of several with one name the last counts.
    public init(dictionaryLiteral elements: (String, WireValue)...) {
        for (name, value) in elements { self[name] = value }
    }
}
