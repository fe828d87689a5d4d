import Foundation
import HoldfastConformance

@main
enum Main {
    static func main() async {
        let command = ConformanceCommand(BuiltInAdapters.harnesses)
        exit(await command.run(Array(CommandLine.arguments.dropFirst())))
    }
}
