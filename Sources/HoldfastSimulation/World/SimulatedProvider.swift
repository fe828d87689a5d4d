import HoldfastSchema
import HoldfastStorage
import HoldfastSync
import HoldfastWire

/// What an application knows of its user: who is signed in, and tokens that expire.
///
/// Unchecked because everything happens on one thread.
final class SimulatedProvider: @unchecked Sendable {
    /// What a provider throws that cannot say something now.
    private struct Unavailable: Error {}

    /// Who is signed in.
    var user: Int { didSet { users.insert(user) } }
    /// Everyone who was signed in at some time.
    private(set) var users: Set<Int>
    /// The user with whom the last session began.
    private var sessionUser: Int?
    /// How often someone asked who is signed in.
    private var questions: UInt64 = 0
    /// The number of the token in use, and of the oldest one that has not expired.
    private var token = 1
    private var leastToken = 1
    /// Whether it could not be said, when it was last asked, whether there is another token.
    private(set) var isRenewalOpen = false
    private var faults: [(fault: Scenario.ProviderFault, count: Int)] = []
    private let rights: Rights
    private let simulator: Simulator
    private let seed: UInt64

    init(user: Int, _ rights: Rights, simulator: Simulator, seed: UInt64) {
        self.user = user
        users = [user]
        self.rights = rights
        self.simulator = simulator
        self.seed = seed
    }

    /// How the sync engine learns who is signed in, and proves it.
    var authorization: SyncAuthorization {
        SyncAuthorization(
            identity: { [self] in try await identity() }, modeCount: rights.modeCount,
            authorize: { [self] mode, request in
                next(.noToken) ? .unavailable : authorization(of: request, mode)
            },
            renew: { [self] mode, request, refused in try renewed(mode, request, refused) })
    }

    // MARK: - What the scenario does to it

    func add(_ fault: Scenario.ProviderFault, count: Int) {
        leastToken = fault == .tokenExpired || fault == .renewalFails ? token + 1 : leastToken
        if fault != .tokenExpired { faults.append((fault, count)) }
    }

    /// Ends all faults; a token that has expired remains so.
    func endFaults() { faults = [] }

    /// Whether the next question meets a fault.
    private func next(_ fault: Scenario.ProviderFault) -> Bool {
        guard let index = faults.firstIndex(where: { $0.fault == fault }) else { return false }
        faults[index].count -= 1
        if faults[index].count <= 0 { faults.remove(at: index) }
        return true
    }

    // MARK: - Who is signed in

    private func identity() async throws -> String? {
        questions += 1
        let (question, asked) = (questions, user)
        if next(.identityFails) { throw Unavailable() }
        if next(.identityLate) {
            // As a provider that takes no notice of a cancellation.
            var random = SplitMix64(seed: seed, questions)
            await simulator.pass(microseconds: random.number(in: 10...20_000) * 1_000)
        }
        if question == questions { sessionUser = asked }
        return "user \(asked)"
    }

    /// How the user who is signed in proves it.
    private func authorization(of request: AuthorizedRequest, _ attempt: Int) -> Authorization {
        // As for providers of tokens: they are used for the user that the session began with.
        guard user == sessionUser else { return .signedOut }
        let modes = rights.modes(of: request.model?.name, for: request.operation)
        guard attempt < modes.count else { return .notOffered }
        var headers =
            modes[attempt] == .apiKey
            ? AuthHeaders.apiKey("key", host: "localhost", date: "20240229T120000Z")
            : .token(rights.token(of: user, in: modes[attempt]), host: "localhost")
        headers.headers.append(AuthHeaders.Header("x-user", "user \(user)"))
        headers.headers.append(AuthHeaders.Header("x-token", "\(token)"))
        return .headers(headers)
    }

    // MARK: - Tokens

    private func renewed(
        _ mode: Int, _ request: AuthorizedRequest, _ refused: AuthHeaders
    ) throws -> AuthHeaders? {
        // Something else is wrong with what was refused.
        if accepts(refused) { return nil }
        isRenewalOpen = next(.renewalFails)
        if isRenewalOpen { throw Unavailable() }
        token = max(token, leastToken)
        guard case .headers(let headers) = authorization(of: request, mode) else { throw Unavailable() }
        return headers
    }

    /// Whether the token in use has not expired.
    var isTokenAlive: Bool { token >= leastToken }

    /// Whether the token in the headers of a request has not expired.
    func accepts(_ headers: AuthHeaders) -> Bool {
        guard let number = headers["x-token"].flatMap({ Int($0) }) else { return true }
        return number >= leastToken
    }
}
