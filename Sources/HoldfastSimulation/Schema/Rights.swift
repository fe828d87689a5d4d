import HoldfastModel
import HoldfastSchema
import HoldfastServer
import HoldfastStorage
import HoldfastWire

/// Who may do what with records: the rules of a schema, read independently of the service, and the users of one run.
struct Rights: Sendable {
    typealias Fields = [String: Value]

    /// Whether everyone may do everything.
    let isOpen: Bool
    /// How many users sign in where it matters who does.
    static let userCount = 3

    private let schema: SimulatedSchema
    /// The groups of each user.
    private let groups: [[String]]
    /// The modes in which clients ask for something, the first one first.
    private let modes: [String: [ModelOperation: [AuthMode]]]
    /// The mode of requests that are about no model.
    private let mainMode: AuthMode

    init(_ schema: SimulatedSchema, seed: UInt64) {
        self.schema = schema
        let rules = schema.models.flatMap(\.access.rules)
        isOpen = rules.allSatisfy { rule in
            ["public", "private"].contains(rule.allow) && rule.actions == Set(ModelAccess.Action.allCases)
        }
        var random = SplitMix64(seed: seed, 0x6702_7570)
        var names = Set(rules.flatMap(\.groups)).sorted()
        if rules.contains(where: { $0.groupsField != nil }) { names += ["North", "South"] }
        let all = names
        // The first user is in every group, so that each rule is used.
        groups = (0..<Self.userCount).map { user in user == 0 ? all : all.filter { _ in random.chance(50) } }
        modes = Dictionary(
            schema.models.map { model in
                let operations = ModelOperation.allCases.map { operation in
                    let providers = WireModel.authModes(by: model.schema.authRules, for: [operation], isSignedIn: true)
                    return (operation, providers.map(AuthMode.init))
                }
                return (model.name, Dictionary(operations, uniquingKeysWith: { first, _ in first }))
            }, uniquingKeysWith: { first, _ in first })
        let used = Set(rules.map(\.mode))
        mainMode = [.userPools, .oidc, .iam].first(where: used.contains) ?? .apiKey
    }

    // MARK: - Signing in

    /// In how many modes a client may have to ask.
    var modeCount: Int { modes.values.flatMap(\.values).map(\.count).max().map { max(1, $0) } ?? 1 }

    /// The modes in which a client asks for something.
    func modes(of model: String?, for operation: ModelOperation) -> [AuthMode] {
        model.map { modes[$0]?[operation] ?? [] } ?? [mainMode]
    }

    /// What a user's token says.
    func token(of user: Int, in mode: AuthMode) -> String {
        var claims: JSONObject = [
            "mode": .string(mode.rawValue), "sub": .string("sub-\(user)"), "username": .string(Self.name(of: user)),
            "cognito:username": .string(Self.name(of: user)),
            "cognito:groups": .array(groups(of: user).map { .string($0) }),
        ]
        for rule in schema.models.flatMap(\.access.rules) {
            for claim in Self.claims(rule) where claims[claim] == nil {
                claims[claim] = .string(Self.name(of: user))
            }
            if let claim = rule.groupClaim { claims[claim] = claims["cognito:groups"] }
        }
        return WireValue.object(claims).text
    }

    /// Who a token says it is of; `nil` for no token of a simulated user.
    static func identity(ofToken token: String) -> Identity? {
        guard let claims = (try? WireValue(parsing: Array(token.utf8)))?.object,
            let mode = claims["mode"]?.string.flatMap(AuthMode.init(rawValue:))
        else { return nil }
        // Signatures bring no claims.
        return Identity(mode, claims: mode == .iam ? JSONObject() : claims)
    }

    private static func name(of user: Int) -> String { "user-\(user)" }

    private func groups(of user: Int) -> [String] { groups[user % groups.count] }

    private static func claims(_ rule: ModelAccess.Rule) -> [String] {
        rule.identityClaim.map { $0.split(separator: "::").map(String.init) } ?? ["sub", "username"]
    }

    // MARK: - Judging

    /// Whether a user's devices should have a record.
    func shows(_ model: SimulatedModel, _ fields: Fields, to user: Int) -> Bool {
        if isOpen { return true }
        // The service refuses a mode if no record could be read in it; then the next one is asked.
        let mode = modes(of: model.name, for: .read).first { mode in
            model.access.rules.contains { $0.mode == mode && $0.actions.contains(.sync) && isPossible($0, user, model) }
        }
        return mode.map { allows(.sync, model, fields, user, in: $0) } ?? false
    }

    /// Whether a user may do something with a record in one of the modes that a device tries.
    func allows(_ action: ModelAccess.Action, _ model: SimulatedModel, _ fields: Fields, to user: Int) -> Bool {
        isOpen
            || modes(of: model.name, for: action.operation).contains { allows(action, model, fields, user, in: $0) }
    }

    private func allows(
        _ action: ModelAccess.Action, _ model: SimulatedModel, _ fields: Fields, _ user: Int, in mode: AuthMode
    ) -> Bool {
        model.access.rules.contains { rule in
            rule.mode == mode && rule.actions.contains(action) && isPossible(rule, user, model)
                && holds(rule, fields, user)
        }
    }

    /// Whether a rule allows a user anything at all.
    private func isPossible(_ rule: ModelAccess.Rule, _ user: Int, _ model: SimulatedModel) -> Bool {
        let hasToken = rule.mode == .userPools || rule.mode == .oidc
        switch rule.allow {
        case "public", "private": return true
        case "owner": return hasToken
        case "groups":
            guard hasToken else { return false }
            if let field = rule.groupsField {
                // The service adds fields for owners, and none for groups.
                return model.entity.position(of: field) != nil && !groups(of: user).isEmpty
            }
            return rule.groups.contains(where: groups(of: user).contains)
        default: return false
        }
    }

    private func holds(_ rule: ModelAccess.Rule, _ fields: Fields, _ user: Int) -> Bool {
        if let field = rule.ownerField { return fields[field].texts.contains(where: Self.names(rule, user).contains) }
        if let field = rule.groupsField { return fields[field].texts.contains(where: groups(of: user).contains) }
        return true
    }

    /// The names of a user by a rule, as the service shows them; the one that it writes first.
    private static func names(_ rule: ModelAccess.Rule, _ user: Int) -> [String] {
        claims(rule).reversed().map { $0 == "sub" ? "sub-\(user)" : name(of: user) }
    }

    // MARK: - Whose records there are

    /// What a user's new record says about who may use it, without what the service fills in.
    func ruleFields(of model: SimulatedModel, by user: Int) -> Fields {
        var fields: Fields = [:]
        for rule in model.access.rules {
            guard let name = rule.ownerField ?? rule.groupsField, fields[name] == nil,
                let column = model.entity.position(of: name)
            else { continue }
            let isRequired = model.entity.fields[column].isRequired
            var text: String?
            if rule.groupsField != nil {
                text = groups(of: user).first ?? "Elsewhere"
            } else if !rule.actions.contains(.create) {
                // Whom the creator lets in.
                text = Self.names(rule, (user + 1) % Self.userCount).first
            } else if isRequired {
                text = Self.names(rule, user).first
            }
            guard let text else { continue }
            let isList = model.entity.fields[column].type.storageType.isList
            fields[name] = isList ? .list([.text(text)]) : .text(text)
        }
        return fields
    }

    /// What a user's record says about who may use it.
    func state(of model: SimulatedModel, by user: Int) -> Fields {
        var fields = ruleFields(of: model, by: user)
        for rule in model.access.rules where rule.actions.contains(.create) && [.userPools, .oidc].contains(rule.mode) {
            guard let name = rule.ownerField, fields[name] == nil else { continue }
            fields[name] = Self.names(rule, user).first.map { .text($0) }
        }
        return fields
    }

    /// Whether a user's device may change the record of another user, or its own, as far as it can tell.
    func offers(_ action: ModelAccess.Action, _ model: SimulatedModel, of author: Int, to user: Int) -> Bool {
        if isOpen { return true }
        let fields = state(of: model, by: author)
        return shows(model, fields, to: user) && allows(action, model, fields, to: user)
    }
}

extension ModelAccess.Action {
    /// The action as rules of models call it.
    fileprivate var operation: ModelOperation {
        switch self {
        case .create: .create
        case .update: .update
        case .delete: .delete
        case .get, .list, .sync, .listen: .read
        }
    }
}

extension AuthMode {
    fileprivate init(_ provider: AuthRuleProvider) {
        self =
            switch provider {
            case .apiKey: .apiKey
            case .oidc: .oidc
            case .iam: .iam
            case .userPools: .userPools
            case .function: .function
            }
    }
}

extension Value? {
    /// The names of owners or groups; of a name with double colons the last part, which clients see.
    fileprivate var texts: [String] {
        switch self {
        case .text(let text)?: [text.shortOwner]
        case .list(let values)?: values.compactMap { $0.text?.shortOwner }
        default: []
        }
    }
}

extension String {
    /// Not the code of the service, which this judges.
    fileprivate var shortOwner: String {
        indices.reversed().first { self[..<$0].hasSuffix("::") }.map { String(self[$0...]) } ?? self
    }
}

extension Value {
    /// The value with names of owners as clients see them.
    var withShortOwners: Value {
        switch self {
        case .text(let text): .text(text.shortOwner)
        case .list(let values): .list(values.map(\.withShortOwners))
        default: self
        }
    }
}
