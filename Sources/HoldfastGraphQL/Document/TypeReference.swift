/// The use of a type: its name, in any number of lists, each of them and the type itself required or not.
///
/// Kept without allocation: the name, the number of lists, and one bit for each level.
public struct TypeReference: Hashable, Sendable {
    /// The greatest number of lists around a type.
    public static let maximumListDepth = 32

    /// The type inside all lists.
    public var name: Name
    /// The number of lists around it.
    public private(set) var listDepth: UInt8
    /// Bit `n` says whether the type with `n` lists around it is required.
    private var requiredLevels: UInt64

    /// Makes the nullable use of a type.
    public init(_ name: Name) {
        self.name = name
        self.listDepth = 0
        self.requiredLevels = 0
    }

    /// Whether null is not a value of this type.
    public var isNonNull: Bool { requiredLevels >> UInt64(listDepth) & 1 == 1 }

    /// Whether this is a list, required or not.
    public var isList: Bool { listDepth > 0 }

    /// This type with null as a value.
    public var nullable: TypeReference {
        var result = self
        result.requiredLevels &= ~(1 << UInt64(listDepth))
        return result
    }

    /// This type without null.
    public var nonNull: TypeReference {
        var result = self
        result.requiredLevels |= 1 << UInt64(listDepth)
        return result
    }

    /// A nullable list of this type.
    ///
    /// Beyond ``maximumListDepth`` the type itself; the parser reports that before.
    public var list: TypeReference {
        guard listDepth < Self.maximumListDepth else { return self }
        var result = self
        result.listDepth += 1
        return result
    }

    /// The type of the elements of a list; `nil` if this is not a list.
    public var element: TypeReference? {
        guard listDepth > 0 else { return nil }
        var result = nullable
        result.listDepth -= 1
        return result
    }

    /// Whether two uses have the same lists and the same levels that cannot be null.
    func hasSameWrapping(as other: TypeReference) -> Bool {
        listDepth == other.listDepth && requiredLevels == other.requiredLevels
    }

    /// Whether two uses are the same type, wherever they are.
    public func isSame(as other: TypeReference) -> Bool {
        listDepth == other.listDepth && requiredLevels == other.requiredLevels && name.text == other.name.text
    }
}

extension TypeReference: CustomStringConvertible {
    /// The type in the syntax of GraphQL.
    public var description: String {
        var text = String(repeating: "[", count: Int(listDepth)) + name.text
        for level in 0...UInt64(listDepth) {
            if level > 0 { text += "]" }
            if requiredLevels >> level & 1 == 1 { text += "!" }
        }
        return text
    }
}
