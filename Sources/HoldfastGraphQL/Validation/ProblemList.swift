/// Collects problems up to a limit.
struct ProblemList {
    private var problems: [GraphQLProblem] = []
    private let limit: Int
    private let givesHints: Bool
    /// Names in messages come from strangers and have any length.
    private static let maximumMessageLength = 1000
    private var isCut = false

    init(_ limits: ValidationLimits) {
        limit = max(1, limits.problemCount)
        givesHints = limits.givesHints
    }

    /// Adds a problem; what it says is made only if there is room.
    mutating func add(
        _ rule: GraphQLRule, at locations: Location..., message: @autoclosure () -> String,
        hint: @autoclosure () -> String
    ) {
        guard problems.count < limit else {
            isCut = true
            return
        }
        var message = message()
        if message.utf8.count > Self.maximumMessageLength {
            message = String(message.prefix(Self.maximumMessageLength)) + "…"
        }
        problems.append(
            GraphQLProblem(
                rule: rule, message: message, locations: locations.filter { $0 != .none },
                hint: givesHints ? hint() : nil))
    }

    /// Adds that two things have the same name.
    mutating func addSecond(
        _ what: @autoclosure () -> String, _ name: Name, _ rule: GraphQLRule, first: Location,
        wayOut: String = "Rename one of them"
    ) {
        add(
            rule, at: name.location, first, message: "there is a second \(what())",
            hint: "\(wayOut); the first is at \(first).")
    }

    /// The problems in the order of their places, then as they were found.
    func sorted() -> [GraphQLProblem] {
        let order = problems.indices.sorted { left, right in
            switch (problems[left].location, problems[right].location) {
            case (let first?, let second?) where first != second: first < second
            case (nil, _?): true
            case (_?, nil): false
            default: left < right
            }
        }
        var result = order.map { problems[$0] }
        if isCut {
            result.append(
                GraphQLProblem(
                    rule: .limits, message: "there are more than \(limit) problems", locations: [],
                    hint: givesHints ? "Solve these first." : nil))
        }
        return result
    }
}
