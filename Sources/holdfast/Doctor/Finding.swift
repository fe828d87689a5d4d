#if CLI

/// What one check of `holdfast doctor` found.
struct Finding: Encodable {
    /// How a check ended.
    enum State: String, Encodable {
        /// Everything is as it must be.
        case ok
        /// It works, but it may not stay so.
        case warning
        /// It does not work, or data is in danger.
        case problem
        /// It could not be checked, and the message says why.
        case skipped
    }

    /// What was looked at, in one word: `version`, `clock`, `port`, `tls`, `store`, `permissions`, `wal`, `disk`.
    let check: String
    let state: State
    /// What is so.
    let message: String
    /// What to do; only with a warning or a problem.
    let fix: String?

    static func ok(_ check: String, _ message: String) -> Finding {
        Finding(check: check, state: .ok, message: message, fix: nil)
    }

    static func skipped(_ check: String, _ message: String) -> Finding {
        Finding(check: check, state: .skipped, message: message, fix: nil)
    }

    static func warning(_ check: String, _ message: String, fix: String) -> Finding {
        Finding(check: check, state: .warning, message: message, fix: fix)
    }

    static func problem(_ check: String, _ message: String, fix: String) -> Finding {
        Finding(check: check, state: .problem, message: message, fix: fix)
    }

    /// The lines that people read.
    var lines: [String] {
        let line = "\(state.rawValue): \(check): \(message)"
        return fix.map { [line, "  fix: \($0)"] } ?? [line]
    }
}
#endif
