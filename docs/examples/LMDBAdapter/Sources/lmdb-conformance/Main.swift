import Foundation
import HoldfastConformance
import HoldfastConformanceMutants
import HoldfastEngineConformance
import LMDBHarness

@main
enum Main {
    static func main() async {
        let command = ConformanceCommand([LMDBHarness()], suite: .complete, mutants: Mutant.all)
        exit(await command.run(Array(CommandLine.arguments.dropFirst())))
    }
}
