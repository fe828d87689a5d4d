#if CLI
import HoldfastGraphQL
import HoldfastSchema

/// A problem as JSON.
struct ProblemRecord: Encodable {
    let file: String
    let line: UInt32
    let column: UInt32
    let message: String
    let hint: String?

    init(_ problem: SchemaProblem) {
        file = problem.source
        line = problem.location.line
        column = problem.location.column
        message = problem.message
        hint = problem.hint
    }
}
#endif
