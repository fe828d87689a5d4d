/// A file that cannot be run, or an argument that does not fit it.
struct InputFailure: Error {
    var text: String
    var status: Int32 = 1
}
