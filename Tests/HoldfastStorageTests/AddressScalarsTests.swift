import HoldfastStorage
import Testing

@Suite struct AddressScalarsTests {
    private static let longestLocal = String(repeating: "a", count: 318)

    @Test(arguments: [
        "a@b", "local@example.com", "a.b+c@x-y.example", "o'hara@example.com", "\"a@b\"@example.com",
        "\"a\\\"@b\"@example.com", "ü@exämple.de", "a@123", "用户@例え.jp", longestLocal + "@b",
    ])
    func emailsAreKept(text: String) throws {
        #expect(try FieldType.email.canonical(.text(text)) == .text(text))
    }

    @Test(arguments: [
        "", "@", "a", "a@", "@b", "a@b@c", "a b@c", "a@b c", "a@b\n", "a\0@b", "a@b..c", "a@.b", "a@b.", "a@b_c",
        "a@[127.0.0.1]", "\"a@b", "\"a@b\"", "\"a b\"@c", "a@\"b\"", "a@b\u{7F}", longestLocal + "@bc", "\"a\\\"@b",
    ])
    func otherEmailsAreRejected(text: String) {
        expectRejection(of: text, by: .email, reason: "expected local@domain")
    }

    @Test(arguments: [
        "http://example.com", "https://example.com/a?b=c#d", "mailto:a@b", "urn:x", "a:b", "h2+x.y-z:1", "file:///x",
        "HTTP://EXAMPLE.COM", "http://exämple.com/ü", "x::",
    ])
    func urlsAreKept(text: String) throws {
        #expect(try FieldType.url.canonical(.text(text)) == .text(text))
    }

    @Test(arguments: [
        "", "example.com", "/path", "//host/path", ":x", "1a:b", "http:", "ht tp://x", "http://a b", "http://a\n",
        "http://a\tb", " http://a", "http://a\0", "ä:b", "h_t:x", "+a:b", "http://a\u{7F}",
    ])
    func otherURLsAreRejected(text: String) {
        expectRejection(of: text, by: .url, reason: "expected an absolute URL")
    }

    @Test(arguments: ["123", "+123", "555-1234", "+1 555 123 4567", "+44-20-7946-0958", "123456789012345", "1 2-3"])
    func phonesAreKept(text: String) throws {
        #expect(try FieldType.phone.canonical(.text(text)) == .text(text))
    }

    @Test(arguments: [
        "", "+", "12", "1234567890123456", "++123", "1+23", "12  34", "12--34", "12 -34", " 123", "123 ", "123-",
        "-123",
        "+ 123", "(555) 1234", "555.1234", "12a4", "１２３", "123\0",
    ])
    func otherPhonesAreRejected(text: String) {
        expectRejection(of: text, by: .phone, reason: "expected an optional +")
    }

    @Test(arguments: [
        "0.0.0.0", "255.255.255.255", "127.0.0.1/8", "10.0.0.0/0", "10.0.0.0/32", "010.001.000.1", "::", "::1", "1::",
        "1::8", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::3:4:5:6:7:8", "2001:DB8::ff00:42:8329",
        "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "::1.2.3.4", "1::1.2.3.4", "fe80::/10", "::/0", "::/128",
        "1a2b:3c4d:5e6f:7890:abcd:ef01:2345:6789/48",
    ])
    func ipAddressesAreKept(text: String) throws {
        #expect(try FieldType.ipAddress.canonical(.text(text)) == .text(text))
    }

    @Test(arguments: [
        "", "/", "/8", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "256.1.1.1", "0001.1.1.1", "1.2.3.4 ",
        "a.b.c.d", "-1.2.3.4", ":", ":::", "1:", ":1", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::", "1::2::3", "::1:2:3:4:5:6:7:8", "12345::", "g::", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "::1.2.3.256", "::1.2.3.4:5", "1.2.3.4::", "::ff.2.3.4", "fe80::1%eth0",
        "[::1]", "::1\0",
    ])
    func otherIPAddressesAreRejected(text: String) {
        expectRejection(of: text, by: .ipAddress, reason: "neither an IPv4 nor an IPv6 address")
    }

    @Test(arguments: ["1.2.3.4/", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/8/8", "1.2.3.4/0008", "::/129", "::/a", "::/"])
    func otherPrefixesAreRejected(text: String) {
        expectRejection(of: text, by: .ipAddress, reason: "prefix length")
    }

    private func expectRejection(of text: String, by type: FieldType, reason: String) {
        let error = #expect(throws: InvalidScalar.self) { try type.canonical(.text(text)) }
        #expect(error?.type == type)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
