import AWSAPIPlugin
import Amplify
import Foundation
import HoldfastStorage
import Testing

/// Signs in each user who has the password `secret`.
private final class TestAuth: AuthCategoryPlugin {
    struct User: AuthUser {
        let username: String
        var userId: String { "id of \(username)" }
    }

    struct Tokens: AuthCognitoTokens {
        let idToken = "id", refreshToken = "refresh"
        let accessToken: String
    }

    struct Session: AuthSession, AuthCognitoTokensProvider {
        let user: User?
        var isSignedIn: Bool { user != nil }

        func getCognitoTokens() -> Result<any AuthCognitoTokens, AuthError> {
            user.map { .success(Tokens(accessToken: "token of \($0.username)")) }
                ?? .failure(.signedOut("No one is signed in.", "Sign in."))
        }
    }

    struct SignedOut: AuthSignOutResult {}

    let key = "testAuth"
    private let user = Mutex<User?>(nil)

    func configure(using configuration: Any?) throws {}
    func reset() async {}

    func signIn(
        username: String?, password: String?, options: AuthSignInRequest.Options?
    ) async throws -> AuthSignInResult {
        guard let username, password == "secret" else { throw AuthError.notAuthorized("Wrong.", "Try again.") }
        user.withLock { $0 = User(username: username) }
        return AuthSignInResult(nextStep: .done)
    }

    func signOut(options: AuthSignOutRequest.Options?) async -> any AuthSignOutResult {
        user.withLock { $0 = nil }
        return SignedOut()
    }

    func fetchAuthSession(options: AuthFetchSessionRequest.Options?) async throws -> any AuthSession {
        Session(user: user.withLock(\.self))
    }

    func getCurrentUser() async throws -> any AuthUser {
        guard let user = user.withLock(\.self) else { throw AuthError.signedOut("No one.", "Sign in.") }
        return user
    }
}

/// Signs in `ann` once she has answered with the password.
private final class TwoStepAuth: AuthCategoryPlugin {
    let key = "twoStepAuth"
    private let auth = TestAuth()

    func configure(using configuration: Any?) throws {}
    func reset() async {}

    func signIn(
        username: String?, password: String?, options: AuthSignInRequest.Options?
    ) async throws -> AuthSignInResult {
        AuthSignInResult(nextStep: .confirmSignInWithPassword)
    }

    func confirmSignIn(
        challengeResponse: String, options: AuthConfirmSignInRequest.Options?
    ) async throws -> AuthSignInResult {
        try await auth.signIn(username: "ann", password: challengeResponse, options: nil)
    }

    func signOut(options: AuthSignOutRequest.Options?) async -> any AuthSignOutResult {
        await auth.signOut(options: options)
    }

    func fetchAuthSession(options: AuthFetchSessionRequest.Options?) async throws -> any AuthSession {
        try await auth.fetchAuthSession(options: options)
    }

    func getCurrentUser() async throws -> any AuthUser { try await auth.getCurrentUser() }
}

/// Tokens of a provider that throws where no one is signed in.
private final class ThrowingFactory: APIAuthProviderFactory {
    struct Provider: AmplifyOIDCAuthProvider {
        let error: AuthError

        func getLatestAuthToken() async throws -> String { throw error }
    }

    private let error: AuthError

    init(_ error: AuthError) { self.error = error }

    override func oidcAuthProvider() -> (any AmplifyOIDCAuthProvider)? { Provider(error: error) }
}

extension AmplifySuite {
    @Suite struct AuthTests {
        @Test func requestsCarryTheTokenOfTheUserWhoIsSignedIn() async throws {
            let session = ScriptedSession { request in
                ScriptedSession.Answer(body: request.value(forHTTPHeaderField: "Authorization") ?? "")
            }
            try Amplify.add(plugin: TestAuth())
            try Amplify.add(plugin: AWSAPIPlugin(sessionFactory: session))
            let configuration = """
                { "api": { "plugins": { "awsAPIPlugin": { "rest": { "endpointType": "REST",
                  "endpoint": "https://rest.test", "authorizationType": "AMAZON_COGNITO_USER_POOLS" } } } } }
                """
            try Amplify.configure(try JSONDecoder().decode(AmplifyConfiguration.self, from: Data(configuration.utf8)))
            try await resetting {
                let request = RESTRequest(path: "/me")
                await #expect {
                    try await Amplify.API.get(request: request)
                } throws: { error in
                    guard case .operationError(_, _, let cause)? = error as? APIError,
                        case .signedOut? = cause as? AuthError
                    else { return false }
                    return true
                }
                await #expect(throws: AuthError.self) {
                    try await Amplify.Auth.signIn(username: "ann", password: "wrong")
                }
                #expect(try await Amplify.Auth.signIn(username: "ann", password: "secret").isSignedIn)
                #expect(try await Amplify.Auth.getCurrentUser().userId == "id of ann")
                #expect(try await Amplify.Auth.fetchAuthSession().isSignedIn)
                let answer = try await Amplify.API.get(request: request)
                #expect(String(decoding: answer, as: UTF8.self) == "token of ann")
                #expect(await Amplify.Auth.signOut() is TestAuth.SignedOut)
                await #expect(throws: AuthError.self) { try await AWSAuthService().getUserPoolAccessToken() }
                await #expect(throws: APIError.self) { try await Amplify.API.get(request: request) }
            }
        }

        @Test func stepsOfASignInAreConfirmed() async throws {
            try Amplify.add(plugin: TwoStepAuth())
            try Amplify.configure()
            try await resetting {
                let result = try await Amplify.Auth.signIn(username: "ann")
                #expect(result.nextStep == .confirmSignInWithPassword)
                await #expect(throws: AuthError.self) {
                    try await Amplify.Auth.confirmSignIn(challengeResponse: "wrong")
                }
                #expect(try await Amplify.Auth.confirmSignIn(challengeResponse: "secret").isSignedIn)
                #expect(try await Amplify.Auth.getCurrentUser().username == "ann")
            }
            // Has one step.
            try Amplify.add(plugin: TestAuth())
            try Amplify.configure()
            try await resetting {
                await #expect {
                    try await Amplify.Auth.confirmSignIn(challengeResponse: "secret")
                } throws: { error in
                    if case .invalidState? = error as? AuthError { true } else { false }
                }
            }
        }

        @Test func withoutAPluginNoUserIsSignedIn() async throws {
            try await resetting {
                await #expect {
                    try await Amplify.Auth.getCurrentUser()
                } throws: { error in
                    if case .configuration? = error as? AuthError { true } else { false }
                }
                _ = await Amplify.Auth.signOut()
                #expect(throws: AuthError.self) { try Amplify.Auth.getPlugin(for: "testAuth") }
            }
        }

        /// Each step that the original has, since applications go through all of them.
        @Test(
            arguments: [
                (.confirmSignInWithSMSMFACode(AuthCodeDeliveryDetails(destination: .sms("+49")), nil), "SMS +49"),
                (.confirmSignInWithCustomChallenge(["a": "b"]), "answer b"),
                (.confirmSignInWithNewPassword(nil), "new password"), (.confirmSignInWithPassword, "password"),
                (.confirmSignInWithTOTPCode, "code"),
                (.continueSignInWithTOTPSetup(TOTPSetupDetails(sharedSecret: "S", username: "ann")), "setup for ann"),
                (.continueSignInWithMFASelection([.totp]), "confirm by totp"),
                (.continueSignInWithEmailMFASetup, "email"),
                (.continueSignInWithMFASetupSelection([.email]), "set up email"),
                (
                    .confirmSignInWithOTP(AuthCodeDeliveryDetails(destination: .email(nil), attributeKey: .email)),
                    "code about email"
                ),
                (.continueSignInWithFirstFactorSelection([.emailOTP]), "sign in by emailOTP"),
                (.resetPassword(nil), "reset"), (.confirmSignUp(nil), "registration"), (.done, "done"),
            ] as [(AuthSignInStep, String)])
        func stepsOfASignInAreThoseOfTheOriginal(step: AuthSignInStep, words: String) {
            let found =
                switch step {
                case .confirmSignInWithSMSMFACode(let details, _):
                    if case .sms(let number?) = details.destination { "SMS \(number)" } else { "" }
                case .confirmSignInWithCustomChallenge(let info): "answer \(info?["a"] ?? "")"
                case .confirmSignInWithNewPassword: "new password"
                case .confirmSignInWithPassword: "password"
                case .confirmSignInWithTOTPCode: "code"
                case .continueSignInWithTOTPSetup(let details): "setup for \(details.username)"
                case .continueSignInWithMFASelection(let types): "confirm by \(types.first?.rawValue ?? "")"
                case .continueSignInWithEmailMFASetup: "email"
                case .continueSignInWithMFASetupSelection(let types): "set up \(types.first?.rawValue ?? "")"
                case .confirmSignInWithOTP(let details): details.attributeKey == .email ? "code about email" : ""
                case .continueSignInWithFirstFactorSelection(let types): "sign in by \(types.first?.rawValue ?? "")"
                case .resetPassword: "reset"
                case .confirmSignUp: "registration"
                case .done: "done"
                }
            #expect(found == words)
            #expect(AuthSignInResult(nextStep: step).isSignedIn == (step == .done))
        }

        @Test func aGeneratorOfCodesIsSetUpByAnAddress() throws {
            let details = TOTPSetupDetails(sharedSecret: "S3CRET", username: "ann@test")
            #expect(
                try details.getSetupURI(appName: "My App").absoluteString
                    == "otpauth://totp/My%20App:ann@test?secret=S3CRET&issuer=My%20App")
            #expect(try details.getSetupURI(appName: "A&B", accountName: "x").query == "secret=S3CRET&issuer=A%26B")
            let texts = ["\(details)", String(reflecting: AuthSignInStep.continueSignInWithTOTPSetup(details))]
            #expect(texts.allSatisfy { $0.contains("ann") && !$0.contains("S3CRET") })
        }

        @Test func aProviderMayThrowThatNoOneIsSignedIn() async throws {
            // Waiting does not help against a session that has expired, either.
            for error in [AuthError.signedOut("No one.", "Sign in."), .sessionExpired("Expired.", "Sign in.")] {
                let token = try await APITokens(ThrowingFactory(error)).token(.openIDConnect)
                #expect(token == nil)
            }
            await #expect(throws: AuthError.self) {
                _ = try await APITokens(ThrowingFactory(.unknown("No network."))).token(.openIDConnect)
            }
        }

        @Test func claimsOfTokensAreRead() throws {
            let payload = Data(#"{"sub":"s","cognito:groups":["a"]}"#.utf8).base64EncodedString()
                .replacingOccurrences(of: "=", with: "")
            let claims = try AWSAuthService().getTokenClaims(tokenString: "h.\(payload).s").get()
            #expect(claims["sub"] as? String == "s" && claims["cognito:groups"] as? [String] == ["a"])
            for text in ["", "a.b", "a.b.c", "h.\(payload)"] {
                #expect(throws: AuthError.self) { try AWSAuthService().getTokenClaims(tokenString: text).get() }
            }
        }
    }
}
