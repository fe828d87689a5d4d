/// Logarithms without a library of mathematics, exact enough for places in drawings.
enum Logarithm {
    /// The logarithm to base 2; 0 for what has none.
    static func base2(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return 0 }
        // ln(m) = 2 artanh((m - 1) / (m + 1)), for m in 1..<2.
        let ratio = (value.significand - 1) / (value.significand + 1)
        let square = ratio * ratio
        var (term, sum) = (ratio, 0.0)
        for power in stride(from: 1.0, through: 31, by: 2) {
            sum += term / power
            term *= square
        }
        return Double(value.exponent) + 2 * sum / 0.693_147_180_559_945_3
    }
}
