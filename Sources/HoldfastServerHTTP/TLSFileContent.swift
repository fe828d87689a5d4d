#if Server
import NIOSSL

/// What the files for TLS say, to be checked before a server starts.
package struct TLSFileContent: Sendable {
    /// What cannot be used.
    package enum Failure: Error {
        /// The certificate chain.
        case certificate
        /// The private key.
        case key
        /// Both, since one was not made for the other.
        case pair
    }

    /// The times between which the server's certificate is valid, in seconds since 1970.
    package let begin: Int
    package let end: Int
    /// The names of machines for which it was made.
    package let names: [String]

    /// Reads the files.
    package init(_ files: SyncHTTPServer.TLSFiles) throws(Failure) {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(files.certificateChain), let server = chain.first else {
            throw .certificate
        }
        guard (try? NIOSSLPrivateKey(file: files.privateKey, format: .pem)) != nil else { throw .key }
        // NIOSSL checks that the key fits the certificate only when it creates a context.
        guard let configuration = try? files.nioConfiguration(),
            (try? NIOSSLContext(configuration: configuration)) != nil
        else { throw .pair }
        begin = Int(server.notValidBefore)
        end = Int(server.notValidAfter)
        names = server._subjectAlternativeNames().compactMap { name in
            name.nameType == .dnsName ? String(decoding: name.contents, as: UTF8.self) : nil
        }
    }
}
#endif
