#if Sync
package import NIOSSL

/// A certificate for `localhost` and 127.0.0.1 that signs itself, and its key.
///
/// It protects nothing.
package enum TestCertificate {
    package static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGzIiMnSrJn491cy
        0nP13mlqoEhh78gI03gofiZhilnKYOh8gGSVXz+pCv0DA7qhYdD4ZHqRQDdQ4jJc
        mrIzyDmjTjBMMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAPBgNVHRMBAf8E
        BTADAQH/MB0GA1UdDgQWBBQM4maBbqr+XYuiDz941FbsesF6XzAKBggqhkjOPQQD
        AgNIADBFAiArEU51Sk+V8iuZ5A0k7vkEDFV38XHyJuWYshZ/SaSP+wIhAKMc9fzH
        Gh0Et5qpTIQifU6w22itDcppF4RXIaw4dgQq
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRHyuXLEW97i8De4f
        3E5Sk3xlmevcN/B5O8Zsip5edxKhRANCAARsyIjJ0qyZ+PdXMtJz9d5paqBIYe/I
        CNN4KH4mYYpZymDofIBklV8/qQr9AwO6oWHQ+GR6kUA3UOIyXJqyM8g5
        -----END PRIVATE KEY-----
        """

    package static func serverContext(protocols: [String]) throws -> NIOSSLContext {
        let certificates = try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8))
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }
}
#endif
