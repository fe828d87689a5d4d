import Foundation
import HoldfastConformance
import LMDBHarness

@main
enum Main {
    static func main() async {
        exit(await ConformanceCommand([LMDBHarness()]).run(Array(CommandLine.arguments.dropFirst())))
    }
}
