/// The name of an owner, which may have several parts with double colons between them.
enum OwnerName {
    /// The parts of a name, or of the claims that make one, from left to right.
    static func parts(_ text: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x3A, index + 1 < bytes.count, bytes[index + 1] == 0x3A {
                parts.append([])
                index += 2
            } else {
                parts[parts.count - 1].append(bytes[index])
                index += 1
            }
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names by which a client may demand a record: the name as stored, and each part of it.
    static func forms(of stored: String) -> [String] { [stored] + parts(stored) }
}
