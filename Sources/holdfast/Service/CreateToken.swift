#if CLI && Server
import ArgumentParser
import HoldfastEngine
import HoldfastServerHTTP
import HoldfastStorage
import HoldfastWire

/// `holdfast token`.
struct CreateToken: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Creates a token for development, as a user pool would.",
        discussion: """
            Only 'holdfast dev', and 'holdfast serve' with --dev-tokens, accept it. Its key is HOLDFAST_TOKEN_KEY in the \
            environment, of at least 32 bytes, or else in the data directory of the service.

            Examples:
              holdfast token --sub alice --groups Admin --groups Editors
              curl -H "Authorization: $(holdfast token --sub alice)" …

            Exit codes: 0 printed, 1 there is no key, 64 wrong usage.
            """)

    @Option(help: "The user of the token: the claims sub and username.")
    var sub: String

    @Option(help: "A group of the user. Can be repeated.")
    var groups: [String] = []

    @Option(help: "A claim, as NAME=TEXT. Can be repeated.")
    var claim: [String] = []

    @Option(help: "How long the token is valid, in seconds.")
    var life: Int64 = 86_400

    @Option(help: "The data directory of the service.")
    var data = DataOptions.standardData

    func run() async throws {
        var claims = JSONObject()
        for text in claim {
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { throw ValidationError("'\(text)' is not NAME=TEXT.") }
            claims[String(parts[0])] = .string(String(parts[1]))
        }
        guard (1...31_536_000).contains(life) else { throw ValidationError("--life must be between 1 and 31536000.") }
        let directory = ServiceDirectory(path: data)
        guard let secret = try directory.existingTokenKey() else {
            Output.error("'\(data)' has no key for tokens. 'holdfast dev' makes one; start it first.")
            throw ExitCode(1)
        }
        let tokens = DevelopmentTokens(secret: secret, surroundings: .system)
        try Output.result(tokens.token(for: sub, groups: groups, claims: claims, life: .seconds(life)))
    }
}
#endif
