#if CLI && Server
/// Why a file cannot be read or written, or a line of it is none.
struct FileFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
#endif
