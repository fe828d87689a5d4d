#if CLI && Server
import Foundation
import HoldfastServerHTTP

/// Whether the files for TLS can be used, and for how long.
struct TLSCheck {
    let certificate: String
    let key: String

    /// From this many days before the end on, a certificate must be renewed.
    private static let notice = 21.0

    private var files: SyncHTTPServer.TLSFiles {
        SyncHTTPServer.TLSFiles(certificateChain: certificate, privateKey: key)
    }

    /// Why a service cannot start with the files; `nil` if it can.
    var obstacle: Finding? {
        do {
            _ = try TLSFileContent(files)
            return nil
        } catch {
            return problem(error)
        }
    }

    var findings: [Finding] {
        let content: TLSFileContent
        do {
            content = try TLSFileContent(files)
        } catch {
            return [problem(error)]
        }
        return [lifetime(content)] + [keyRights].compactMap(\.self)
    }

    private func problem(_ error: TLSFileContent.Failure) -> Finding {
        switch error {
        case .certificate:
            .problem(
                "tls", "'\(certificate)' cannot be read as a chain of certificates in PEM.",
                fix: "Check the path and the permissions; the file must begin with the server's own certificate.")
        case .key:
            .problem(
                "tls", "'\(key)' cannot be read as a private key in PEM.",
                fix: "Check the path and the permissions; a key with a passphrase cannot be used.")
        case .pair:
            .problem(
                "tls", "The private key does not go with the first certificate of the chain.",
                fix: "Use the key for which the certificate was made, and put the server's certificate first.")
        }
    }

    private func lifetime(_ content: TLSFileContent) -> Finding {
        let now = Date().timeIntervalSince1970
        let names = content.names.isEmpty ? "no name" : content.names.joined(separator: ", ")
        if Double(content.begin) > now {
            return .problem(
                "tls", "The certificate is not valid yet.", fix: "Check the clock, or use another certificate.")
        }
        let days = (Double(content.end) - now) / 86_400
        let renew = "Renew it, and start the service again."
        if days <= 0 { return .problem("tls", "The certificate has expired.", fix: renew) }
        if days < Self.notice {
            return .warning("tls", "The certificate expires in \(Int(days)) days.", fix: renew)
        }
        return .ok("tls", "The certificate is for \(names), and valid for \(Int(days)) days")
    }

    /// A warning if other users can read the key.
    private var keyRights: Finding? {
        guard let mode = (try? FileManager.default.attributesOfItem(atPath: key))?[.posixPermissions] as? NSNumber,
            mode.intValue & 0o007 != 0
        else { return nil }
        return .warning("tls", "Other users of this machine can read the private key.", fix: "`chmod 600 '\(key)'`")
    }
}
#endif
