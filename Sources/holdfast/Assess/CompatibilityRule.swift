#if CLI

/// What docs/compatibility.md says about symbols, as it is looked for in sources.
struct CompatibilityRule: Encodable {
    /// Names with dots between them; one that ends with `.*` stands for any member, one with `(` for a call.
    let patterns: [String]
    let verdict: Verdict
    /// Words of the line of docs/compatibility.md that says so; a test looks for them.
    let row: String
    let note: String?

    init(_ patterns: [String], _ verdict: Verdict, row: String, _ note: String? = nil) {
        self.patterns = patterns
        self.verdict = verdict
        self.row = row
        self.note = note
    }

    private init(_ verdict: Verdict, _ prefix: String, _ members: [String], row: String, _ note: String? = nil) {
        self.init(members.map { prefix + "." + $0 }, verdict, row: row, note)
    }

    static let all: [CompatibilityRule] = setUp + calls + events + api + other

    private static let setUp: [CompatibilityRule] = [
        CompatibilityRule(.same, "Amplify", ["add", "configure"], row: "`Amplify.add(plugin:)`, `configure()`"),
        CompatibilityRule(["Amplify.reset"], .better, row: "`Amplify.reset()`", "It is public, and closes the store."),
        CompatibilityRule(
            ["AWSDataStorePlugin("], .same, row: "`AWSDataStorePlugin(modelRegistration:configuration:)`"),
        CompatibilityRule(["AWSAPIPlugin("], .same, row: "`AWSAPIPlugin(modelRegistration:sessionFactory:"),
        CompatibilityRule(
            ["AmplifyModelRegistration"], .better, row: "| `AmplifyModelRegistration.version` | better",
            "A new version empties nothing: the models themselves are compared with what is stored."),
        CompatibilityRule(
            .same, "DataStoreConfiguration", ["custom", "default"],
            row: "`DataStoreConfiguration.custom(…)`, `.default`"),
        CompatibilityRule(["disableSubscriptions"], .same, row: "`disableSubscriptions`"),
        CompatibilityRule(
            .different, "Amplify.Auth",
            ["signIn", "confirmSignIn", "signOut", "fetchAuthSession", "getCurrentUser"],
            row: "`Amplify.Auth` with `signIn`", "It needs an `AuthCategoryPlugin` of your own."),
        CompatibilityRule(
            ["Amplify.Auth.*"], .missing, row: "registration, passwords, devices, web sign-in",
            "Registration, passwords, devices, and web sign-in are not there; use your identity provider's library."),
        CompatibilityRule(
            ["Storage", "Analytics", "Geo", "Predictions", "Notifications"].map { "Amplify.\($0).*" }, .missing,
            row: "categories other than `API`, `Auth`, `DataStore`, `Hub`, `Logging`", "Holdfast has no such category."),
    ]

    private static let calls: [CompatibilityRule] = [
        CompatibilityRule(.same, "Amplify.DataStore", ["save", "query", "delete"], row: "| `save`, `query(byId:)`"),
        CompatibilityRule(
            ["Amplify.DataStore.start"], .better, row: "| `start` | better", "It fails if the store cannot be opened."),
        CompatibilityRule(["Amplify.DataStore.stop"], .same, row: "| `stop` | same"),
        CompatibilityRule(
            ["Amplify.DataStore.clear"], .better, row: "| `clear` | better", "One commit, and it completes once."),
        CompatibilityRule(["Amplify.DataStore.observe"], .same, row: "| `observe(_:)` | same"),
        CompatibilityRule(
            ["Amplify.DataStore.observeQuery"], .same, row: "| `observeQuery(for:where:sort:)` | same",
            "Better: the order is the query's, and slow consumers get the newest snapshot."),
        CompatibilityRule(
            ["Amplify.DataStore.publisher", "Amplify.Publisher.create"], .same,
            row: "| `publisher(for:)`, `Amplify.Publisher.create` | same",
            "Without Combine it needs the trait `OpenCombine`."),
        CompatibilityRule(
            ["ModelListProvider", "ModelListDecoderRegistry", "ModelProviderRegistry"], .missing,
            row: "providers and decoder registries", "Implement `ModelLoader`."),
        CompatibilityRule(["conflictHandler"], .better, row: "| conflict handler | better"),
        CompatibilityRule(["errorHandler"], .better, row: "| error handler | better"),
        CompatibilityRule(
            ["syncExpressions", "DataStoreSyncExpression"], .same, row: "| sync expressions | same"),
        CompatibilityRule(["authModeStrategy"], .better, row: "| `authModeStrategy: .multiAuth` | better"),
        CompatibilityRule(
            ["getPlugin", "Amplify.Auth.getPlugin", "Amplify.Auth.removePlugin"], .same,
            row: "| `getPlugin(for:)`, `removePlugin(for:)`"),
    ]

    private static let events: [CompatibilityRule] = [
        CompatibilityRule(
            .same, "Amplify.Hub", ["listen", "removeListener", "dispatch", "publisher"],
            row: "| `listen`, `removeListener`, `dispatch`, `publisher(for:)`"),
        CompatibilityRule(["HubFilters.forOperation"], .missing, row: "| `HubFilters.forOperation` | not yet"),
        CompatibilityRule(
            .same, "EventName.DataStore",
            ["subscriptionsEstablished", "syncQueriesStarted", "syncQueriesReady", "syncStarted"],
            row: "| `subscriptionsEstablished`, `syncQueriesStarted`"),
        CompatibilityRule(
            ["EventName.DataStore.modelSynced"], .better, row: "| `modelSynced` | better",
            "It is not sent for a model that the service refuses."),
        CompatibilityRule(["EventName.DataStore.networkStatus"], .same, row: "| `networkStatus` | same"),
        CompatibilityRule(
            ["EventName.DataStore.outboxStatus"], .better, row: "| `outboxStatus` | better",
            "It is sent also where nothing is synchronized."),
        CompatibilityRule(
            ["EventName.DataStore.outboxMutationEnqueued"], .better, row: "| `outboxMutationEnqueued` | better",
            "It is sent when the change is committed, not when it is sent to the service."),
        CompatibilityRule(
            ["EventName.DataStore.ready"], .better, row: "| `ready` | better", "It is sent also without a service."),
        CompatibilityRule(
            ["EventName.DataStore.outboxMutationProcessed"], .better, row: "| `outboxMutationProcessed` | better"),
        CompatibilityRule(["EventName.DataStore.syncReceived"], .better, row: "| `syncReceived` | better"),
        CompatibilityRule(
            ["EventName.DataStore.conditionalSaveFailed"], .better, row: "| `conditionalSaveFailed` | better",
            "The record here is then as the service has it."),
    ]

    private static let api: [CompatibilityRule] = [
        CompatibilityRule(
            .same, "Amplify.API", ["query", "mutate", "subscribe"],
            row: "| `Amplify.API.query`, `mutate`, `subscribe`"),
        CompatibilityRule(
            .same, "Amplify.API", ["get", "put", "post", "patch", "delete", "head"],
            row: "| `Amplify.API.get`, `put`, `post`", "Signatures of AWS need the package trait `Sync`."),
        CompatibilityRule(
            ["Amplify.API.add", "URLRequestInterceptor"], .same,
            row: "| `add(interceptor:for:)`, `URLRequestInterceptor`"),
        CompatibilityRule(
            ["Amplify.API.reachabilityPublisher", "reachabilityPublisher"], .missing,
            row: "| `reachabilityPublisher(for:)` | does not apply", "The Hub's `networkStatus` reports it."),
        CompatibilityRule(["APIAuthProviderFactory"], .same, row: "providers of `APIAuthProviderFactory`"),
        CompatibilityRule(
            ["AuthCognitoTokensProvider", "AuthCognitoIdentityProvider", "AWSAuthService"], .same,
            row: "`AuthCognitoTokensProvider`, `AuthCognitoIdentityProvider` | same"),
        CompatibilityRule(
            ["AuthAWSCredentialsProvider", "AWSCredentials", "AWSTemporaryCredentials"], .same,
            row: "| `AuthAWSCredentialsProvider`, `AWSCredentials`"),
    ]

    private static let other: [CompatibilityRule] = [
        CompatibilityRule(
            ["DataStoreError"], .same, row: "| `DataStoreError`, its cases",
            "Descriptions have other words; do not compare texts."),
        CompatibilityRule(["Amplify.Logging", "Amplify.log"], .same, row: "| `Amplify.Logging`, `Amplify.log`"),
        CompatibilityRule(
            ["LoggingCategoryPlugin"], .missing, row: "| logging plug-ins | does not apply", "Use `redirect(to:)`."),
        CompatibilityRule(
            ["Temporal.*"], .same, row: "| `Temporal` | same", "Times keep the offset with which they were written."),
        CompatibilityRule(
            ["ModelValueConverter", "SQLiteModelValueConverter", "CascadeDeleteOperation"], .missing,
            row: "| `ModelValueConverter`, `SQLiteModelValueConverter`", "Adapters map values; use the DataStore."),
        CompatibilityRule(
            ["_LazyReferenceValue", "AtomicValue", "WeakAmplifyAsyncThrowingSequenceRef"], .missing,
            row: "| `_LazyReferenceValue`, `AtomicValue`", "An inner part of the original."),
        CompatibilityRule(
            ["requiredAssociatedModel"], .missing, row: "`requiredAssociatedModel` of fields",
            "Use `associatedModelName`."),
    ]
}

extension CompatibilityRule {
    /// A rule, what it matched, and how many tokens that were.
    struct Match {
        let rule: CompatibilityRule
        let subject: String
        let length: Int
    }

    /// A pattern as the parts that tokens must equal; `*` is any word.
    private struct Pattern {
        let parts: [String]
        let rule: CompatibilityRule
    }

    /// By the first word, longer patterns first, and members by name before any member.
    private static let patterns: [String: [Pattern]] = {
        var patterns: [String: [Pattern]] = [:]
        for rule in all {
            for text in rule.patterns {
                let parts = text.hasSuffix("(") ? [String(text.dropLast()), "("] : words(of: text)
                patterns[parts[0], default: []].append(Pattern(parts: parts, rule: rule))
            }
        }
        func isBefore(_ one: Pattern, _ other: Pattern) -> Bool {
            (one.parts.count, one.parts.last == "*" ? 0 : 1) > (other.parts.count, other.parts.last == "*" ? 0 : 1)
        }
        return patterns.mapValues { $0.sorted(by: isBefore) }
    }()

    /// `a.b` as `a`, `.`, `b`.
    private static func words(of text: String) -> [String] {
        Array(text.split(separator: ".").map { [String($0)] }.joined(separator: ["."]))
    }

    /// The longest pattern with which tokens begin.
    static func longestMatch(_ tokens: ArraySlice<CodeToken>) -> Match? {
        guard let first = tokens.first, let candidates = patterns[first.text] else { return nil }
        for pattern in candidates where tokens.count >= pattern.parts.count {
            let matches = zip(pattern.parts, tokens).allSatisfy { part, token in
                token.kind != .text && (part == "*" ? token.kind == .word : part == token.text)
            }
            guard matches else { continue }
            let subject = tokens.prefix(pattern.parts.count).map(\.text).joined().replacing("(", with: "")
            return Match(rule: pattern.rule, subject: subject, length: pattern.parts.count)
        }
        return nil
    }
}
#endif
