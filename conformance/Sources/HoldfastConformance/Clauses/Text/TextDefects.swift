import HoldfastStorage

extension Defect {
    /// Defects that the clauses of `TXT` must find.
    static let text: [Defect] = [
        Defect(
            "normalised-on-write", "é is composed when it is stored.", killedBy: "TXT-001",
            written: { value in
                guard case .text(let text) = value, text.unicodeScalars.contains("\u{301}") else { return value }
                return .text(
                    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{301}" })) + "\u{E9}")
            })
    ]
}
