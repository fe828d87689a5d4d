/// Numbers as people read them.
package enum NumberText {
    /// Digits in groups of three, with commas; numbers below 100 keep a digit after the decimal point, those below 1
    /// two.
    package static func grouped(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        let size = abs(value)
        if size < 100, value != value.rounded() { return fixed(value, size < 1 ? 2 : 1, isTrimmed: true) }
        guard size < 9e15 else { return "\(value)" }
        var digits = "\(Int64(size.rounded()))"
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (value < 0 ? "−" : "") + ([digits] + groups).joined(separator: ",")
    }

    /// The same for a count.
    package static func grouped(_ value: Int) -> String { grouped(Double(value)) }

    /// A number with the given count of digits after the decimal point.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - digits: How many digits there are after the decimal point.
    ///   - isTrimmed: Whether zeros at the end are left out.
    /// - Returns: The rounded number; a dash if it is not finite or too large.
    package static func fixed(_ value: Double, _ digits: Int, isTrimmed: Bool = false) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        guard value.isFinite, abs(value) * scale < 9e15 else { return "–" }
        let number = Int64((abs(value) * scale).rounded())
        let sign = value < 0 && number > 0 ? "-" : ""
        var fraction = "\(number % Int64(scale))"
        fraction = String(repeating: "0", count: digits - fraction.count + (digits == 0 ? 1 : 0)) + fraction
        if digits == 0 { fraction = "" }
        if isTrimmed { while fraction.hasSuffix("0") { fraction.removeLast() } }
        return sign + "\(number / Int64(scale))" + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// A short form for axes, such as `2k` or `1.5M`.
    package static func short(_ value: Double) -> String {
        for (unit, letter) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] where abs(value) >= unit {
            return fixed(value / unit, 1, isTrimmed: true) + letter
        }
        return fixed(value, 3, isTrimmed: true)
    }
}
