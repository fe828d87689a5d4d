#if CLI && !Server
import ArgumentParser

/// Says how to get a command that needs the trait `Server`, and fails.
private func refuseWithoutServer(_ name: String) throws -> Never {
    Output.error(
        """
        This build has no server, so that it needs no other package. Run
          swift run --traits \(BuildTraits.value(adding: ["Server"])) holdfast \(name) …
        """)
    throw ExitCode(69)
}

/// `holdfast serve`, in a build without it.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves a schema over HTTP and WebSockets; needs the trait Server.")

    @ArgumentParser.Argument(parsing: .captureForPassthrough, help: .hidden)
    var arguments: [String] = []

    func run() throws { try refuseWithoutServer("serve") }
}

/// `holdfast dev`, in a build without it.
struct Develop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev", abstract: "Serves a schema for development; needs the trait Server.")

    @ArgumentParser.Argument(parsing: .captureForPassthrough, help: .hidden)
    var arguments: [String] = []

    func run() throws { try refuseWithoutServer("dev") }
}

/// `holdfast data`, in a build without it.
struct DataCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "data", abstract: "Reads and writes the records of a service; needs the trait Server.")

    @ArgumentParser.Argument(parsing: .captureForPassthrough, help: .hidden)
    var arguments: [String] = []

    func run() throws { try refuseWithoutServer("data") }
}

/// `holdfast renew`, in a build without it.
struct RenewVersions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Lets devices follow a restored store; needs the trait Server.")

    @ArgumentParser.Argument(parsing: .captureForPassthrough, help: .hidden)
    var arguments: [String] = []

    func run() throws { try refuseWithoutServer("renew") }
}

/// `holdfast token`, in a build without it.
struct CreateToken: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Creates a token for development; needs the trait Server.")

    @ArgumentParser.Argument(parsing: .captureForPassthrough, help: .hidden)
    var arguments: [String] = []

    func run() throws { try refuseWithoutServer("token") }
}
#endif
