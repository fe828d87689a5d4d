#if CLI
import ArgumentParser
import Foundation
import HoldfastStorage

#if Server
import HoldfastServerHTTP
#endif

/// `holdfast doctor`.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks what a service or a store needs on this machine, and says how to fix what is wrong.",
        discussion: """
            Checks what 'holdfast serve' uses with the same options: versions, the clock, the port, the files for TLS, \
            the permissions of the store, its write-ahead log, and the free disk space. Nothing is changed; a LevelDB store \
            cleans up its own files when it is opened. Each warning and each problem says the fix.

            \(StoreAddress.forms)

            Examples:
              holdfast doctor
              holdfast doctor --store sqlite:app.db --json
              holdfast doctor --store 'postgresql://me@localhost/app' --port 443 --host 0.0.0.0 \
            --tls-certificate chain.pem --tls-key key.pem
              holdfast doctor --config service.yaml --running

            Exit codes: 0 no problem, 1 problems, 64 wrong usage, 69 this build lacks the adapter.
            """)

    @OptionGroup var location: LocationOptions

    @OptionGroup var tls: TLSOptions

    #if Server
    @Option(help: "The YAML file of the service. Options of the command line come before those of the file.")
    var config: String?
    #endif

    @Flag(help: "The service runs: its port must be in use, and it may have the store open.")
    var running = false

    @Flag(help: "Prints the findings as JSON.")
    var json = false

    func run() async throws {
        var settings = self
        #if Server
        if let config { try settings.read(config) }
        #endif
        let findings = try await settings.findings()
        let problems = findings.count { $0.state == .problem }
        let warnings = findings.count { $0.state == .warning }
        if json {
            try Output.json(Report(findings: findings, problems: problems, warnings: warnings))
        } else {
            for line in findings.flatMap(\.lines) { try Output.result(line) }
            try Output.result("\(Self.counted(problems, "problem")), \(Self.counted(warnings, "warning")).")
        }
        if problems > 0 { throw ExitCode(1) }
    }

    private struct Report: Encodable {
        let findings: [Finding]
        let problems: Int
        let warnings: Int
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }

    #if Server
    /// Takes from a file what the command line leaves open.
    private mutating func read(_ path: String) throws {
        var serve = try Serve.parse([])
        (serve.service.location, serve.tls) = (location, tls)
        _ = try ServiceFile(path, into: &serve)
        (location, tls) = (serve.service.location, serve.tls)
    }
    #endif

    private func findings() async throws -> [Finding] {
        let store = try location.files.storeAddress()
        var findings = [BuildCheck.finding]
        findings += ClockCheck.findings
        findings.append(PortCheck(host: location.address, port: location.chosenPort, isRunning: running).finding)
        findings += tlsFindings()
        guard let store else { return findings + [.ok("store", "in memory, gone with the process")] }
        return await findings
            + StoreCheck(address: store, isRunning: running, isServiceDefault: location.files.store == nil).findings()
    }

    private func tlsFindings() -> [Finding] {
        guard let files = tls.files else {
            let isLocal = ["127.0.0.1", "::1", "localhost"].contains(location.address)
            return isLocal
                ? []
                : [
                    .warning(
                        "tls", "Other machines can reach the service, and what they send is not encrypted.",
                        fix: "Pass --tls-certificate and --tls-key, or put a proxy with TLS before the service.")
                ]
        }
        #if Server
        return TLSCheck(certificate: files.certificate, key: files.key).findings
        #else
        _ = files
        return [.skipped("tls", "The files were not checked, since this build has no server.")]
        #endif
    }
}
#endif
