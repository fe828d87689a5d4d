import HoldfastSchema
public import HoldfastWire

// The conversation with a function that decides conflicts, as AppSync has it.
extension ConflictRequest {
    /// The request in the form that conflict functions of AppSync take.
    public var json: WireValue {
        [
            "newItem": .object(newItem), "existingItem": .object(existingItem), "arguments": .object(arguments),
            "resolver": [
                "tableName": .string(model), "awsRegion": "local", "parentType": "Mutation", "field": .string(field),
                "outputType": .string(model),
            ],
            "identity": identity.json,
        ]
    }
}

extension ConflictResolution {
    /// Reads what a conflict function of AppSync answers: `RESOLVE` with an item, `REJECT`, or `REMOVE`.
    ///
    /// `nil` for anything else.
    public init?(_ answer: WireValue) {
        switch (answer["action"]?.string, answer["item"]) {
        case ("RESOLVE", .object(let item)): self = .resolve(item)
        case ("REJECT", _): self = .reject
        case ("REMOVE", _): self = .remove
        default: return nil
        }
    }
}

extension Identity {
    /// The identity as functions see it; null for a key.
    fileprivate var json: WireValue {
        guard mode != .apiKey else { return .null }
        var object = JSONObject()
        object["sub"] = claims["sub"]
        object["issuer"] = claims["iss"]
        object["username"] = claims["username"] ?? claims["cognito:username"]
        object["groups"] = claims["cognito:groups"].map { .array($0.groupNames.map(WireValue.string)) }
        object["claims"] = .object(claims)
        return .object(object)
    }
}
