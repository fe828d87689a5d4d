/// The name of a member as it is written, for names that are written again and again.
package struct WrittenName: Sendable {
    /// The name with its quotes and the colon.
    let bytes: [UInt8]

    /// Writes a name once.
    package init(_ name: String) {
        var writer = JSONWriter()
        writer.name(name)
        bytes = writer.bytes
    }
}

extension JSONWriter {
    /// Writes the name of a member, whose value must follow.
    package mutating func name(_ name: WrittenName) { raw(name.bytes) }
}
