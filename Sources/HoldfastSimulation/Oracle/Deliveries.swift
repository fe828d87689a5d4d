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

    /// Takes note of a request and its answer.
    func add(_ request: [UInt8], _ answer: [UInt8]) {
        requests += 1
        guard let body = try? JSONValue(parsing: request).object,
            body["query"]?.string?.hasPrefix("mutation") == true
        else { return }
        mutations += 1
        guard let response = try? JSONValue(parsing: answer).object else { return }
        if case .array(let errors)? = response["errors"], !errors.isEmpty {
            if errors.contains(where: { $0.object?["errorType"]?.string == "ConflictUnhandled" }) { conflicts += 1 }
            return
        }
        guard let input = body["variables"]?.object?["input"]?.object else { return }
        for member in input.members {
            switch member.value {
            case .string(let text): accepted.insert(text)
            case .number(let number): if let integer = number.integer { accepted.insert("\(integer)") }
            default: break
            }
        }
    }
}
