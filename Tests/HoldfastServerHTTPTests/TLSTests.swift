#if Server
import AsyncHTTPClient
import HoldfastServer
import HoldfastServerHTTP
import NIOHTTP1
import NIOSSL
import Testing

@Suite struct TLSTests {
    @Test func servesWithTLS() async throws {
        try await Self.use { server in
            try await server.create("first")
            let answer = try await server.query("query Q { listPosts { items { title } } }")
            #expect(answer.text == #"{"data":{"listPosts":{"items":[{"title":"first"}]}}}"#)
        }
    }

    @Test func refusesVersionsOfTLSThatAreNotSafe() async throws {
        try await Self.use(.tlsv12) { server in
            let answer = try await server.send(.GET, "/health")
            #expect(answer.status == .ok)
        }
        try await Self.use(.tlsv11) { server in
            let answer = try? await server.send(.GET, "/health")
            #expect(answer == nil)
        }
    }

    /// Runs a test with a server and a client that speak TLS.
    private static func use(
        _ version: TLSVersion? = nil, _ test: (RunningServer) async throws -> Void
    ) async throws {
        try await TemporaryFile.use(certificate) { certificate in
            try await TemporaryFile.use(key) { key in
                let files = SyncHTTPServer.TLSFiles(certificateChain: certificate, privateKey: key)
                let configuration = SyncHTTPServer.Configuration(port: 0, tls: files)
                var tls = TLSConfiguration.makeClientConfiguration()
                tls.trustRoots = .file(certificate)
                tls.maximumTLSVersion = version
                var settings = HTTPClient.Configuration(tlsConfiguration: tls)
                settings.connectionPool.retryConnectionEstablishment = false
                let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
                try await RunningServer.use(configuration: configuration, client: client, test)
                try await client.shutdown()
            }
        }
    }

    @Test func failsWithoutTheFiles() async throws {
        let files = SyncHTTPServer.TLSFiles(certificateChain: "/none/chain.pem", privateKey: "/none/key.pem")
        await #expect(throws: (any Error).self) {
            try await RunningServer.use(configuration: SyncHTTPServer.Configuration(port: 0, tls: files)) { _ in
                Issue.record("the server listens")
            }
        }
    }

    // For 127.0.0.1, from 2020 to 2120, and for this test only.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghDfuart99GHGqujE
        HupcfiMfmQnN/H4YcoRZhVggVuShRANCAARchfCoJyAKd6qqkMlJbiAgZ6vDFJeF
        tRoVXLWS9E1UhooXfKDu21yaIC4kQLFSUoHW0zjvvoJNiZex4M98n9iU
        -----END PRIVATE KEY-----
        """

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBezCCASCgAwIBAgIUFPy88GPUBOvuA1J9d7vXh3bMExowCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
        MDAwMDAwWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAARchfCoJyAKd6qqkMlJbiAgZ6vDFJeFtRoVXLWS9E1UhooXfKDu21ya
        IC4kQLFSUoHW0zjvvoJNiZex4M98n9iUo04wTDAaBgNVHREEEzARhwR/AAABggls
        b2NhbGhvc3QwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUSJrFR6BU3NItDwK/
        C0+kSdIElT4wCgYIKoZIzj0EAwIDSQAwRgIhAJdOKLligysRqKDyRZhqqFMilIdo
        VWRd3E8PZKeqr/r4AiEArh8wehiJ9k2idj2nytECr3XRqisEeS32fV6dLmXaIXM=
        -----END CERTIFICATE-----
        """
}
#endif
