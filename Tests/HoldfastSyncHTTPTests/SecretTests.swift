#if Sync
import HoldfastSyncHTTP
import Testing

/// Nothing that is printed contains a secret.
@Suite struct SecretTests {
    private static let values: [any Sendable] = [
        AuthMode.apiKey("s3cret"),
        AuthMode.userPools { _ in "s3cret" },
        AWSCredentials(accessKeyID: "s3cret", secretAccessKey: "s3cret", sessionToken: "s3cret"),
        HTTPSyncConfiguration.Proxy(host: "proxy", port: 3128, user: "user", password: "s3cret"),
    ]

    @Test(arguments: Self.values.indices)
    func printedValuesHaveNoSecrets(_ index: Int) {
        let value = Self.values[index]
        var dumped = ""
        dump(value, to: &dumped)
        for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains("s3cret")) }
    }

    @Test func configurationHasNoSecrets() {
        var configuration = HTTPSyncConfiguration(endpoint: "https://example.com/graphql")
        configuration.proxy = HTTPSyncConfiguration.Proxy(host: "proxy", port: 3128, user: "user", password: "s3cret")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("s3cret"))
        }
    }
}
#endif
