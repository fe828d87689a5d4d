#if CLI
import HoldfastCodegen

/// A change as JSON.
struct ChangeRecord: Encodable {
    let kind: String
    let path: String
    let message: String

    init(_ change: SchemaDifference) {
        kind = change.kind.rawValue
        path = change.path
        message = change.message
    }
}
#endif
