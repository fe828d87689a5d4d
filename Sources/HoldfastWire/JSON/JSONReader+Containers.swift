extension JSONReader {
    /// Reads an object, member by member.
    ///
    /// Of members with one name each is given; what one of them means twice is the caller's choice.
    ///
    /// - Parameter member: Is given the reader at the value of a member, and its name; may leave the value unread.
    /// - Throws: ``WireError`` `.mismatch` for another type, or what `member` throws, with the name in its path.
    public mutating func object(
        _ member: (inout JSONReader, String) throws(WireError) -> Void
    ) throws(WireError) {
        try members { (reader, name) throws(WireError) in
            let name = try name.text()
            do throws(WireError) { try member(&reader, name) } catch { throw error.inMember(name) }
        }
    }

    /// Reads an array, element by element.
    ///
    /// - Parameter element: Is given the reader at an element, and its index; may leave the element unread.
    /// - Throws: ``WireError`` `.mismatch` for another type, or what `element` throws, with the index in its path.
    public mutating func array(
        _ element: (inout JSONReader, Int) throws(WireError) -> Void
    ) throws(WireError) {
        guard nextByte() == UInt8(ascii: "[") else { throw mismatch(.array) }
        position &+= 1
        var index = 0
        while true {
            switch nextByte() {
            case UInt8(ascii: "]"), 0:
                position &+= 1
                return
            case UInt8(ascii: ","): position &+= 1
            default:
                let start = position
                do throws(WireError) { try element(&self, index) } catch { throw error.inElement(index) }
                if position == start { skip() }
                index &+= 1
            }
        }
    }

    /// Reads any value.
    ///
    /// - Throws: ``WireError`` `.mismatch` for an object with two members of one name, and for an escape of half a
    ///   surrogate pair.
    public mutating func value() throws(WireError) -> WireValue {
        switch next {
        case .null:
            skip()
            return .null
        case .boolean: return .boolean(try boolean())
        case .number: return .number(try number())
        case .string: return .string(try string())
        case .array:
            var elements: [WireValue] = []
            try array { (reader, _) throws(WireError) in elements.append(try reader.value()) }
            return .array(elements)
        case .object:
            var object = JSONObject()
            // Names beyond the first few, so that many members do not take quadratic time.
            var names: Set<[UInt8]> = []
            try self.object { (reader, name) throws(WireError) in
                if object.members.count == 16 { names = Set(object.members.map { Array($0.name.utf8) }) }
                let isNew =
                    object.members.count < 16 ? object[name] == nil : names.insert(Array(name.utf8)).inserted
                guard isNew else { throw WireError(.mismatch, "a second member with this name") }
                object.append(unique: name, try reader.value())
            }
            return .object(object)
        }
    }

    /// Reads an object as ``object(_:)``, with names that are not decoded.
    @inline(__always)
    mutating func members(
        _ member: (inout JSONReader, JSONName) throws(WireError) -> Void
    ) throws(WireError) {
        try eachMember { (reader) throws(WireError) in
            let name = reader.memberName()
            let start = reader.position
            try member(&reader, name)
            if reader.position == start { reader.skip() }
        }
    }

    /// Reads those members of an object that are known, faster the more of them come in the expected order.
    ///
    /// - Parameters:
    ///   - known: The members.
    ///   - member: Is given the reader at the value of a member, and its position among them; may leave the value
    ///     unread.
    /// - Throws: ``WireError`` `.mismatch` for another type, or what `member` throws, with the name in its path.
    @inline(__always)
    mutating func members(
        of known: RecordLayout.Members, _ member: (inout JSONReader, Int) throws(WireError) -> Void
    ) throws(WireError) {
        var expected = 0
        try eachMember { (reader) throws(WireError) in
            var position: Int? = expected
            if let length = known.length(of: expected, at: reader.position, in: reader.bytes) {
                reader.position &+= length
                _ = reader.nextByte()
            } else {
                position = known.position(of: reader.memberName().bytes)
            }
            let start = reader.position
            if let position {
                expected = position &+ 1
                do throws(WireError) {
                    try member(&reader, position)
                } catch {
                    throw error.inMember(known.name(at: position))
                }
            }
            if reader.position == start { reader.skip() }
        }
    }

    /// Calls a closure at the name of each member of an object, which moves past name and value.
    @inline(__always)
    private mutating func eachMember(
        _ member: (inout JSONReader) throws(WireError) -> Void
    ) throws(WireError) {
        guard nextByte() == UInt8(ascii: "{") else { throw mismatch(.object) }
        position &+= 1
        while true {
            switch nextByte() {
            case UInt8(ascii: "}"), 0:
                position &+= 1
                return
            case UInt8(ascii: ","): position &+= 1
            default: try member(&self)
            }
        }
    }

    /// Reads the name of a member and its colon, up to the value.
    @inline(__always)
    private mutating func memberName() -> JSONName {
        let (content, hasEscapes) = stringContent()
        if nextByte() == UInt8(ascii: ":") { position &+= 1 }
        _ = nextByte()
        return JSONName(bytes: content, hasEscapes: hasEscapes)
    }
}

/// The name of a member as bytes of the text; not valid after its reader.
struct JSONName {
    let bytes: UnsafeBufferPointer<UInt8>
    let hasEscapes: Bool

    /// The name.
    func text() throws(WireError) -> String {
        if !hasEscapes { return String(decoding: bytes, as: UTF8.self) }
        guard let text = JSONEscapes.decoded(bytes) else {
            throw WireError(.mismatch, "a member name with an escape of half a surrogate pair")
        }
        return text
    }
}
