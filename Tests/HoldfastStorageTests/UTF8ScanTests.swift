import HoldfastConformance
import Testing

@testable import HoldfastStorage

@Suite struct UTF8ScanTests {
    /// What the search must find, byte by byte.
    private func run(_ bytes: [UInt8], from start: Int) -> Int {
        let end = bytes[start...].firstIndex { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
        return (end ?? bytes.count) - start
    }

    private func found(_ bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { UTF8Scan.plainRun($0, from: start) }
    }

    @Test func everyByteAtEveryPlaceEndsARunOrDoesNot() {
        var faults: [String] = []
        for byte in UInt8.min...UInt8.max {
            for index in 0..<19 {
                // The neighbors of what ends a run, from which a borrow could come.
                for filler: UInt8 in [0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xFF] {
                    var bytes = [UInt8](repeating: filler, count: 19)
                    bytes[index] = byte
                    for start in [0, 1, index] where found(bytes, from: start) != run(bytes, from: start) {
                        faults.append("\(byte) at \(index) among \(filler), from \(start)")
                    }
                }
            }
        }
        #expect(faults.isEmpty)
    }

    @Test func randomBytesEndARunAtTheFirstSpecialOne() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                [0x1F, 0x22, 0x5C, 0x20, 0x21, 0x23, 0x61, 0x80, 0xFF].randomElement(using: &random) ?? 0 as UInt8
            }
            let start = Int.random(in: 0...bytes.count, using: &random)
            #expect(found(bytes, from: start) == run(bytes, from: start), "\(bytes) from \(start)")
        }
    }
}
