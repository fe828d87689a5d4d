/// A place in a source, as a person counts: line and column from one.
///
/// Columns count Unicode scalars. A byte order mark at the start of a source is not counted.
public struct Location: Hashable, Sendable {
    /// The line, from one; zero in ``none``.
    public let line: UInt32
    /// The column in Unicode scalars, from one; zero in ``none``.
    public let column: UInt32
    /// The number of bytes before this place.
    public let offset: UInt32
    /// The number of the source among those read together; see ``Source/index``.
    public let source: UInt32

    /// Makes a location from its parts.
    public init(line: UInt32, column: UInt32, offset: UInt32, source: UInt32 = 0) {
        self.line = line
        self.column = column
        self.offset = offset
        self.source = source
    }

    /// The location of a node that was made by code and is not in a source.
    public static let none = Location(line: 0, column: 0, offset: 0)
}

extension Location: Comparable {
    /// Orders by source, then by place in it.
    public static func < (left: Location, right: Location) -> Bool {
        (left.source, left.offset) < (right.source, right.offset)
    }
}

extension Location: CustomStringConvertible {
    /// Line and column with a colon between them, as editors and compilers write them.
    public var description: String { "\(line):\(column)" }
}
