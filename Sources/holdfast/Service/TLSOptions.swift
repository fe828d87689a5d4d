#if CLI
import ArgumentParser

/// The files for TLS: options of `holdfast serve` and `doctor`.
struct TLSOptions: ParsableArguments {
    @Option(help: "The certificate chain for TLS; PEM.")
    var tlsCertificate: String?

    @Option(help: "The private key for TLS; PEM.")
    var tlsKey: String?

    /// Both files; `nil` without TLS.
    var files: (certificate: String, key: String)? {
        tlsCertificate.flatMap { certificate in tlsKey.map { (certificate, $0) } }
    }

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("TLS needs both --tls-certificate and --tls-key.")
        }
    }
}
#endif
