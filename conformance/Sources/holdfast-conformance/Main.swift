import Foundation
import HoldfastConformance
import HoldfastConformanceMutants
import HoldfastEngineConformance

@main
enum Main {
    static func main() async {
        let command = ConformanceCommand(BuiltInAdapters.harnesses, suite: .complete, mutants: Mutant.all)
        exit(await command.run(Array(CommandLine.arguments.dropFirst())))
    }
}
