import Foundation
import PackagePlugin

/// Writes Swift models into the package: `swift package generate-models [--target NAME] [options]`.
///
/// The files go into the folder `Models` of each target that has GraphQL schemas. Options other than `--target` go to
/// the tool as they are.
@main struct GenerateModelsPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let names = extractor.extractOption(named: "target")
        let targets = try names.isEmpty ? context.package.targets : context.package.targets(named: names)
        let tool = try context.tool(named: "holdfast-codegen").url
        var count = 0
        for target in targets.compactMap(\.sourceModule) {
            let schemas = target.sourceFiles.map(\.url).filter { $0.pathExtension == "graphql" }
                .sorted { $0.path < $1.path }
            guard !schemas.isEmpty else { continue }
            count += 1
            let folder = target.directoryURL.appending(path: "Models")
            let process = Process()
            process.executableURL = tool
            process.arguments =
                ["--command", "swift package generate-models", "--output", folder.path]
                + extractor.remainingArguments + schemas.map(\.path)
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                Diagnostics.error("No models were made for target '\(target.name)'.")
                continue
            }
            Diagnostics.remark("Models of target '\(target.name)' are in \(folder.path).")
        }
        if count == 0 { Diagnostics.error("No target has a .graphql file; add one next to its sources.") }
    }
}
