import HoldfastWire

/// The mutations of all clients that reached the service.
///
/// Unchecked because everything happens on one thread.
final class Deliveries: @unchecked Sendable {
    /// The values of mutations that the service accepted, whatever its strategy made of them.
    private(set) var accepted: Set<String> = []
    private(set) var requests = 0
    private(set) var mutations = 0
    private(set) var conflicts = 0

    private let strategy: Scenario.Strategy

    init(_ strategy: Scenario.Strategy) { self.strategy = strategy }

    /// Takes note of a request and its answer.
    ///
    /// - Returns: What of it must never happen.
    func add(_ request: [UInt8], _ answer: [UInt8]) -> [String] {
        requests += 1
        guard let body = try? JSONValue(parsing: request).object,
            body["query"]?.string?.hasPrefix("mutation") == true
        else { return [] }
        mutations += 1
        guard let response = try? JSONValue(parsing: answer).object else { return [] }
        if case .array(let errors)? = response["errors"], !errors.isEmpty {
            if errors.contains(where: { $0.object?["errorType"]?.string == "ConflictUnhandled" }) { conflicts += 1 }
            return []
        }
        guard let input = body["variables"]?.object?["input"]?.object else { return [] }
        for member in input.members {
            switch member.value {
            case .string(let text): accepted.insert(text)
            case .number(let number): if let integer = number.integer { accepted.insert("\(integer)") }
            default: break
            }
        }
        guard let result = response["data"]?.object?.members.first else { return [] }
        return problems(input, result.value, isCreation: result.name.hasPrefix("create"))
    }

    /// A service that checks versions carries out nothing that was based on another one.
    private func problems(_ input: JSONObject, _ record: JSONValue, isCreation: Bool) -> [String] {
        guard let version = record["_version"]?.integer else { return [] }
        // A record that was forgotten begins again.
        let base = isCreation ? 0 : input["_version"]?.integer ?? 0
        let isRight = strategy == .automerge && !isCreation || version == base + 1
        return isRight ? [] : ["a change based on version \(base) became version \(version)"]
    }
}
