import Foundation

do {
    let options = try Options.parse(Array(CommandLine.arguments.dropFirst()))
    if options.showsHelp {
        Terminal.line(Options.help)
    } else {
        try await Example(options: options).run()
    }
} catch let error as UsageError {
    Terminal.failure("packages: \(error.message); --help lists the options")
    exit(64)
} catch {
    Terminal.failure("packages: \(error)")
    exit(1)
}
