public struct InvalidScalar: Error, Sendable, Equatable { public let type: FieldType; public let reason: String }
extension FieldType { public func canonical(_ value: Value) throws(InvalidScalar) -> Value { value } }
