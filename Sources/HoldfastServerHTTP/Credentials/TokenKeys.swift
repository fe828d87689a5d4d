#if Server
import Crypto
import Foundation
import HoldfastStorage
import HoldfastWire
import JWTKit

/// The keys with which an issuer signs its tokens.
///
/// A key set is read when it is needed, again after an hour, and again when a token names a key that it lacks, which is
/// how issuers change their keys; but not more often than every 30 seconds, or every second before it was read once.
/// While it is read or cannot be read, the keys that are known stay in use, until a day after they were read. Tokens
/// whose signature was checked are remembered until the key set is read again; their claims are checked each time.
public actor TokenKeys {
    private enum Origin {
        case secret([UInt8])
        case set(@Sendable () async throws -> [UInt8])
    }

    /// A key of the issuer.
    private enum Key {
        case secret(HMACKey)
        case published(JWK)

        /// Whether the key has signed a token.
        func hasSigned(_ token: Token) async -> Bool {
            // One for each check, since it keeps the first algorithm that a token names for a key that names none. A
            // forged token would lock out all others.
            let keys = JWTKeyCollection()
            do {
                switch self {
                case .secret(let key): await keys.add(hmac: key, digestAlgorithm: .sha256)
                case .published(let key): try await keys.add(jwk: key)
                }
                _ = try await keys.verify(token.text, as: Claims.self)
                return true
            } catch {
                return false
            }
        }
    }

    /// The keys of the issuer, by their names.
    private typealias Ring = [String: Key]

    /// The keys are not known: they could not be read, or the pause before the next try is not over.
    struct UnreadableKeys: Error {}

    private struct Claims: JWTPayload {
        // The claims are checked elsewhere.
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private let origin: Origin
    private var ring: Ring?
    private var readAt: Duration?
    private var reading: Task<Ring, any Error>?
    private var triedAt: Duration?
    private var readingCount = 0
    /// The digests of tokens that the keys have signed, so that memory has no tokens.
    private var signed: Set<SHA256.Digest> = []
    /// How many signatures were checked.
    private(set) var checkCount = 0

    /// How old keys become before they are read again.
    private static let maximumAge = Duration.seconds(3_600)
    /// How long keys stay in use that cannot be read again.
    private static let longestUse = Duration.seconds(86_400)
    private static let shortestPause = Duration.seconds(30)
    /// The pause before keys were read once; short, since no token is accepted meanwhile.
    private static let firstPause = Duration.seconds(1)
    /// How many tokens are remembered.
    private static let capacity = 10_000
    static let maximumByteCount = 1 << 20
    static let limits = JSONLimits(bytes: maximumByteCount, depth: 8, values: 100_000)

    private init(_ origin: Origin) { self.origin = origin }

    /// A secret that the issuer shares with the service, for HS256.
    public static func secret(_ bytes: [UInt8]) -> TokenKeys { TokenKeys(.secret(bytes)) }

    /// A key set (JWKS) that a function reads.
    public static func set(_ read: @escaping @Sendable () async throws -> [UInt8]) -> TokenKeys {
        TokenKeys(.set(read))
    }

    /// A key set (JWKS) in a file.
    public static func file(_ path: String) -> TokenKeys {
        .set { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    }

    /// A key set (JWKS) at an address, read with HTTP.
    public static func url(_ url: String) -> TokenKeys {
        .set { try await fetch(url) }
    }

    /// Whether one of the keys has signed a token.
    ///
    /// - Throws: Any error if the keys are not known and cannot be read now.
    func verify(_ token: Token, _ surroundings: Surroundings) async throws -> Bool {
        var ring = try await current(surroundings)
        if let name = token.key, !isSecret {
            if ring[name] == nil { ring = try await renewed(surroundings) ?? ring }
            guard let key = ring[name] else { return false }
            ring = [name: key]
        }
        let digest = SHA256.hash(data: Array(token.text.utf8))
        if signed.contains(digest) { return true }
        let reading = readingCount
        checkCount += 1
        guard await Self.hasSigned(token, ring) else { return false }
        // The keys may be others by now; then the token is checked again with them.
        if reading == readingCount {
            if signed.count >= Self.capacity { signed = [] }
            signed.insert(digest)
        }
        return true
    }

    private static func hasSigned(_ token: Token, _ ring: Ring) async -> Bool {
        for key in ring.values where await key.hasSigned(token) { return true }
        return false
    }

    private var isSecret: Bool { if case .secret = origin { true } else { false } }

    private func current(_ surroundings: Surroundings) async throws -> Ring {
        guard let ring, let readAt else {
            guard reading != nil || hasPaused(surroundings, for: Self.firstPause) else { throw UnreadableKeys() }
            return try await read(surroundings).value
        }
        let age = surroundings.uptime() - readAt
        if isSecret || age < Self.maximumAge { return ring }
        guard age < Self.longestUse else {
            guard reading != nil || hasPaused(surroundings) else { throw UnreadableKeys() }
            return try await read(surroundings).value
        }
        // No request waits for a slow issuer while keys are known.
        if hasPaused(surroundings) { _ = read(surroundings) }
        return ring
    }

    /// The keys, read again; `nil` if they were read shortly before.
    ///
    /// - Throws: Any error if they cannot be read, or could not be shortly before: the issuer may have new ones.
    private func renewed(_ surroundings: Surroundings) async throws -> Ring? {
        guard reading != nil || hasPaused(surroundings) else {
            if triedAt != readAt { throw UnreadableKeys() }
            return nil
        }
        return try await read(surroundings).value
    }

    /// Whether the last try to read the keys was long enough ago.
    private func hasPaused(_ surroundings: Surroundings, for pause: Duration = TokenKeys.shortestPause) -> Bool {
        triedAt.map { surroundings.uptime() - $0 >= pause } ?? true
    }

    /// Begins to read the keys; those who ask meanwhile get the same reading.
    private func read(_ surroundings: Surroundings) -> Task<Ring, any Error> {
        if let reading { return reading }
        let start = surroundings.uptime()
        let task = Task {
            defer { reading = nil }
            let ring = try await Self.ring(from: origin)
            readingCount += 1
            signed = []
            readAt = start
            self.ring = ring
            return ring
        }
        reading = task
        triedAt = start
        return task
    }

    /// For tests: returns when the keys are not being read.
    func waitForReading() async { _ = try? await reading?.value }

    private static func ring(from origin: Origin) async throws -> Ring {
        switch origin {
        case .secret(let bytes): return ["": .secret(HMACKey(from: bytes))]
        case .set(let read):
            var ring = Ring()
            let keys = try WireValue(parsing: try await read(), limits: limits)["keys"]?.array ?? []
            for (index, json) in keys.enumerated() {
                // Sets may have keys for other purposes and of kinds that are not supported.
                guard json["use"]?.string ?? "sig" == "sig", var key = try? JWK(json: json.text) else { continue }
                let name = key.keyIdentifier?.string ?? "unnamed \(index)"
                key.keyIdentifier = JWKIdentifier(string: name)
                guard (try? await JWTKeyCollection().add(jwk: key)) != nil else { continue }
                ring[name] = .published(key)
            }
            guard !ring.isEmpty else { throw UnreadableKeys() }
            return ring
        }
    }
}
#endif
