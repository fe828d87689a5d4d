import HoldfastWire
import Testing

@Suite struct JSONWriterTests {
    @Test(arguments: [
        #"{"a":[1,-2,0,true,false,null],"b":{},"c":[],"d":[[],{}],"e":""}"#,
        #"["\"\\\n\r\t\u0001\u001f/é😀","0123456789012345678901234567\"890{[:"]"#,
        #"[-9223372036854775808,9223372036854775807,1.50,1E+2]"#,
        #"["{",{"[":":"},":"]"#,
    ])
    func valueIsWrittenAsItWasRead(text: String) throws {
        #expect(try WireValue(parsing: Array(text.utf8)).text == text)
    }

    @Test(
        arguments: [
            (1, "1.0"), (0.1, "0.1"), (1e300, "1e+300"), (-0x1p-1074, "-5e-324"), (.nan, "null"), (.infinity, "null"),
        ] as [(Double, String)])
    func doubleIsWritten(double: Double, text: String) throws {
        var writer = JSONWriter()
        writer.array { writer in
            writer.integer(3)
            writer.double(double)
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[3,\(text)]")
        let read = try WireValue(parsing: writer.bytes)
        #expect(read[1]?.double == (double.isFinite ? double : nil))
    }

    @Test func objectKeepsOrderOfMembers() {
        var object: JSONObject = ["b": 1, "a": 2, "c": 3]
        object["a"] = nil
        object["b"] = 4
        object["d"] = [true]
        #expect(WireValue.object(object).text == #"{"b":4,"c":3,"d":[true]}"#)
    }

    /// Every text of one character beside those that need an escape, at every distance from a word's end.
    @Test func escapesAreFoundAtEveryDistance() throws {
        for length in 0..<20 {
            for character in ["\"", "\\", "\n", "\u{0}", "\u{1F}", " ", "\u{7F}", "\u{E9}", "\u{1F600}"] {
                let text =
                    String(repeating: "x", count: length) + character + String(repeating: "y", count: 19 - length)
                #expect(try WireValue(parsing: WireValue.string(text).bytes) == .string(text))
            }
        }
    }
}
