import HoldfastStorage
import Testing

struct FNVHashTests {
    /// *Source:* the definition at http://www.isthe.com/chongo/tech/comp/fnv/, computed with whole numbers of 128 bits.
    @Test(arguments: [
        ("", "6c62272e07bb014262b821756295c58d"), ("a", "d228cb696f1a8caf78912b704e4a8964"),
        ("foobar", "343e1662793c64bf6f0d3597ba446f18"),
    ])
    func hashesAreThoseOfTheSource(_ text: String, digits: String) {
        var hash = FNVHash()
        for byte in text.utf8 { hash.add(byte) }
        #expect(hash.digits == digits)
    }
}
