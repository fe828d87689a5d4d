/// An enumeration.
package struct EnumType: Sendable {
    package struct Case: Sendable {
        package var name: String
        package var description: String?
    }
    /// The schema's name, which may be spelled in another way in Swift.
    package var name: String
    package var description: String?
    package var cases: [Case]
}
