#if CLI && Server
import ArgumentParser
import Foundation

/// The directory in which a service keeps its keys, and its store if it has no other place.
struct ServiceDirectory {
    let path: String

    /// Makes the directory if there is none; others cannot look into it.
    func create() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ValidationError("The directory '\(path)' cannot be made: \(error.localizedDescription)")
        }
    }

    /// The key of the application: the one in the directory, or a new one.
    func applicationKey() throws -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return try key(named: "api-key") { "da2-" + String((0..<26).map { _ in letters.randomElement() ?? "a" }) }
    }

    /// The key with which tokens for development are signed that the environment has; `nil` if it has none.
    private static func tokenKeyOfEnvironment() throws -> String? {
        guard let key = ProcessInfo.processInfo.environment["HOLDFAST_TOKEN_KEY"], !key.isEmpty else { return nil }
        guard key.utf8.count >= 32 else { throw ValidationError("HOLDFAST_TOKEN_KEY must have at least 32 bytes.") }
        return key
    }

    /// The key with which tokens for development are signed: that of the environment, the one in the directory, or a new
    /// one.
    func tokenKey() throws -> String {
        if let key = try Self.tokenKeyOfEnvironment() { return key }
        return try key(named: "token-key") {
            (0..<4).map { _ in
                let digits = String(UInt64.random(in: .min ... .max), radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
        }
    }

    /// The key with which tokens for development are signed; `nil` if neither the environment nor the directory has one.
    func existingTokenKey() throws -> String? { try Self.tokenKeyOfEnvironment() ?? read("token-key") }

    private func key(named name: String, make: () -> String) throws -> String {
        if let key = read(name) { return key }
        let file = path + "/" + name
        let draft = file + "." + String(UInt64.random(in: 0 ... .max), radix: 36)
        defer { unlink(draft) }
        let isWritten = FileManager.default.createFile(
            atPath: draft, contents: Data((make() + "\n").utf8), attributes: [.posixPermissions: 0o600])
        // Of processes that start at the same time, the first makes the key of all. Some file systems have no links.
        guard isWritten, link(draft, file) == 0 || errno == EEXIST || rename(draft, file) == 0 else {
            throw ValidationError("'\(file)' cannot be written.")
        }
        guard let key = read(name) else { throw ValidationError("'\(file)' has no key in it; delete it.") }
        return key
    }

    private func read(_ name: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path + "/" + name) else { return nil }
        let key = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return key.isEmpty ? nil : key
    }
}
#endif
