import Foundation

// With libFuzzer, which `./dev fuzz` links, this looks for inputs on which the checks fail. Without it, the files that
// the command line names are checked once.
#if FUZZING
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ check: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

/// What libFuzzer calls where it has a main function of its own.
@_cdecl("LLVMFuzzerTestOneInput")
func checkInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    Fuzzing.check(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runFuzzer(&count, &arguments) { checkInput($0, $1) })
#else
for path in CommandLine.arguments.dropFirst() {
    let isGraphQL = try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { Fuzzing.check($0) }
    print("\(path): \(isGraphQL ? "GraphQL" : "no GraphQL"), all checks hold")
}
#endif
