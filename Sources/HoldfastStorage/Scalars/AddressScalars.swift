/// The syntax of e-mail addresses, URLs, phone numbers and IP addresses.
///
/// Checks form only, never that the address exists, and leaves the text as it is. Each function returns what is wrong
/// and which form is expected, or `nil`; none allocates.
///
/// - Note: *Source:* AppSync scalar types; RFC 5321, RFC 3986, RFC 4291. Where AppSync is vague the laxer reading is
///   taken, so that no value a service sends is refused.
enum AddressScalars {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    // MARK: - AWSEmail

    /// Checks `local@domain`.
    ///
    /// One `@` outside quotes, both parts non-empty, no ASCII space or control character, domain labels of letters,
    /// digits, hyphens or non-ASCII characters, at most 320 bytes.
    static func emailFault(_ bytes: Bytes) -> String? {
        guard bytes.count <= 320 else { return "longer than 320 bytes; expected local@domain" }
        var at: Int?
        var isQuoted = false
        var isEscaped = false
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if ASCII.isSpaceOrControl(byte) { return "a space or control character; expected local@domain" }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "@") {
                if at != nil { return "more than one @ outside quotes; expected local@domain" }
                at = index
            }
        }
        if isQuoted { return "a quotation mark that is not closed; expected local@domain" }
        guard let at else { return "no @ outside quotes; expected local@domain" }
        if at == 0 { return "nothing before the @; expected local@domain" }
        return isDomain(bytes, from: at + 1)
            ? nil : "a domain that is not labels of letters, digits and hyphens between dots; expected local@domain"
    }

    private static func isDomain(_ bytes: Bytes, from start: Int) -> Bool {
        var labelStart = start
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") {
                if index == labelStart { return false }
                labelStart = index + 1
            } else if !(ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte >= 0x80) {
                return false
            }
        }
        return labelStart < bytes.count
    }

    // MARK: - AWSURL

    /// Checks `scheme:rest`: the scheme as in RFC 3986, the rest at least one character, no ASCII white space or
    /// control character anywhere.
    static func urlFault(_ bytes: Bytes) -> String? {
        guard let first = bytes.first, ASCII.isLetter(first) else {
            return "no scheme; expected an absolute URL, scheme:rest"
        }
        var colon = 1
        while colon < bytes.count, isSchemeByte(bytes[colon]) { colon += 1 }
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else {
            return "no scheme; expected an absolute URL, scheme:rest"
        }
        guard colon + 1 < bytes.count else { return "nothing after the scheme; expected an absolute URL, scheme:rest" }
        for index in (colon + 1)..<bytes.count where ASCII.isSpaceOrControl(bytes[index]) {
            return "a space or control character; expected an absolute URL, scheme:rest"
        }
        return nil
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-")
    }

    // MARK: - AWSPhone

    /// Checks an optional `+` and 3...15 digits, single spaces or hyphens between them.
    static func phoneFault(_ bytes: Bytes) -> String? {
        let expected = "expected an optional + and 3...15 digits with single spaces or hyphens between them"
        let start = bytes.first == UInt8(ascii: "+") ? 1 : 0
        var digits = 0
        var followsDigit = false
        for index in start..<bytes.count {
            let byte = bytes[index]
            if ASCII.isDigit(byte) {
                digits += 1
                followsDigit = true
            } else if followsDigit, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") {
                followsDigit = false
            } else {
                return "a character that is not allowed there; \(expected)"
            }
        }
        guard 3...15 ~= digits else { return "too few or too many digits; \(expected)" }
        return followsDigit ? nil : "no digit at the end; \(expected)"
    }

    // MARK: - AWSIPAddress

    /// Checks an IPv4 or IPv6 address with an optional `/prefix` of 0...32 or 0...128.
    ///
    /// Octets are 1...3 decimal digits up to 255, leading zeros admitted. IPv6 may compress one run of groups to `::`
    /// and end in an IPv4 address; it has no zone.
    static func ipAddressFault(_ bytes: Bytes) -> String? {
        let slash = bytes.firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
        let isV6 = bytes[..<slash].contains(UInt8(ascii: ":"))
        guard isV6 ? isIPv6(bytes, end: slash) : isIPv4(bytes, from: 0, end: slash) else {
            return "neither an IPv4 nor an IPv6 address; expected one, with an optional /prefix"
        }
        guard slash == bytes.count || isPrefix(bytes, from: slash + 1, maximum: isV6 ? 128 : 32) else {
            return "a prefix length out of range; expected 0...32 for IPv4 and 0...128 for IPv6"
        }
        return nil
    }

    private static func isPrefix(_ bytes: Bytes, from start: Int, maximum: Int) -> Bool {
        guard let (value, end) = decimal(bytes, from: start, end: bytes.count) else { return false }
        return end == bytes.count && value <= maximum
    }

    private static func isIPv4(_ bytes: Bytes, from start: Int, end: Int) -> Bool {
        var position = start
        for octet in 0..<4 {
            if octet > 0 {
                guard position < end, bytes[position] == UInt8(ascii: ".") else { return false }
                position += 1
            }
            guard let (value, next) = decimal(bytes, from: position, end: end), value <= 255 else { return false }
            position = next
        }
        return position == end
    }

    /// A number of 1...3 digits and the index after it.
    private static func decimal(_ bytes: Bytes, from start: Int, end: Int) -> (value: Int, end: Int)? {
        var value = 0
        var position = start
        while position < end, ASCII.isDigit(bytes[position]) {
            guard position - start < 3 else { return nil }
            value = value * 10 + Int(bytes[position] - 0x30)
            position += 1
        }
        return position > start ? (value, position) : nil
    }

    private static func isIPv6(_ bytes: Bytes, end: Int) -> Bool {
        var position = 0
        var groups = 0
        var isCompressed = false
        if end >= 2, bytes[0] == UInt8(ascii: ":"), bytes[1] == UInt8(ascii: ":") {
            isCompressed = true
            position = 2
        }
        while position < end {
            let start = position
            while position < end, ASCII.isHexDigit(bytes[position]) { position += 1 }
            if position < end, bytes[position] == UInt8(ascii: ".") {
                guard isIPv4(bytes, from: start, end: end) else { return false }
                groups += 2
                break
            }
            guard 1...4 ~= position - start else { return false }
            groups += 1
            if position == end { break }
            guard bytes[position] == UInt8(ascii: ":") else { return false }
            position += 1
            guard position < end else { return false }
            if bytes[position] == UInt8(ascii: ":") {
                guard !isCompressed else { return false }
                isCompressed = true
                position += 1
            }
        }
        return isCompressed ? groups < 8 : groups == 8
    }
}
