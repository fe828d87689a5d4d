import AWSAPIPlugin
import Amplify
import Testing

private final class SignedIn: AuthModeStrategyDelegate {
    func isUserLoggedIn() async -> Bool { true }
}

@Suite struct AuthModeTests {
    private struct Note: Model {
        let id: String
        static let schema = defineSchema { model in
            model.authRules = [
                rule(allow: .public, operations: [.read]), rule(allow: .owner, operations: [.create, .read]),
                rule(allow: .groups, groups: ["a"], provider: .oidc, operations: [.update]),
            ]
            model.fields(.id())
        }
    }

    @Test func theKindsFollowFromTheRules() async {
        let strategy = AuthModeStrategyType.multiAuth.resolveStrategy()
        let schema = Note.schema
        let anonymous = await strategy.authTypesFor(schema: schema, operation: .read)
        #expect(Array(anonymous) == [.designated(.apiKey)])
        let delegate = SignedIn()
        strategy.authDelegate = delegate
        var read = await strategy.authTypesFor(schema: schema, operation: .read)
        #expect(read.count == 2 && read.hasNext)
        #expect(read.next() == .designated(.amazonCognitoUserPools))
        #expect(read.next()?.awsAuthType == .apiKey)
        #expect(read.next() == nil && !read.hasNext && read.count == 2)
        let all = await strategy.authTypesFor(schema: schema, operations: [.update, .create, .read])
        #expect(
            Array(all) == [
                .designated(.amazonCognitoUserPools), .designated(.openIDConnect), .designated(.apiKey),
            ])
        let none = await strategy.authTypesFor(schema: schema, operation: .delete)
        #expect(Array(none) == [.inferred])
        // The strategy does not keep it.
        withExtendedLifetime(delegate) {}
    }

    @Test func theDefaultIsTheOneOfTheConfiguration() async {
        let strategy = AuthModeStrategyType.default.resolveStrategy()
        for operations in [[ModelOperation.read], [.create, .update]] {
            let types = await strategy.authTypesFor(schema: Note.schema, operations: operations)
            #expect(types.map(\.awsAuthType) == [nil])
        }
    }
}
