#if CLI
import ArgumentParser
import HoldfastSchema

extension AuthMode {
    /// The help of options that name the mode of requests which name none.
    static var defaultHelp: String {
        "The authorization mode of requests that do not name one: \(allCases.map(\.rawValue).joined(separator: ", "))."
    }

    /// The mode that an option names.
    init(argument: String) throws {
        guard let mode = AuthMode(rawValue: argument) else {
            throw ValidationError("'\(argument)' is not a mode; the help lists them.")
        }
        self = mode
    }
}
#endif
