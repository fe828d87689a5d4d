import HoldfastSchema

/// The version of a schema: 32 hexadecimal digits that change when stored data has to be looked at again.
enum VersionHash {
    /// 128-bit FNV-1a over the models by name with their fields, keys and indexes.
    ///
    /// Who may do what, enums, embedded types and descriptions are not part of it: they change nothing in a store.
    static func version(of graph: ModelGraph) -> String {
        // In halves, since `UInt128` needs macOS 15. The lines of `FNVHash` in HoldfastStorage, which the tool of the
        // plug-ins does not link, so that it is built fast.
        var high: UInt64 = 0x6c62_272e_07bb_0142
        var low: UInt64 = 0x62b8_2175_6295_c58d
        func add(_ byte: UInt8) {
            low ^= UInt64(byte)
            // Times 2^88 + 0x13b, the prime of this width.
            let product = low.multipliedFullWidth(by: 0x13b)
            high = high &* 0x13b &+ product.high &+ low << 24
            low = product.low
        }
        func add(_ text: String) {
            for byte in text.utf8 { add(byte) }
            add(0xff)
        }
        for model in graph.models.sorted(by: { $0.name < $1.name }) {
            add(model.name)
            for line in StoredLines.lines(of: model) { add(line) }
        }
        return [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
