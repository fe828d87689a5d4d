#if CLI && Server
/// Why a file cannot be read or written, or why a line of it is not valid.
struct FileFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
#endif
