import Foundation
import PackagePlugin

/// Writes Swift models into the package: `swift package generate-models [--target NAME] [options]`.
///
/// The files go into the directory `Models` of each target that has GraphQL schemas in its directory, whether the
/// manifest excludes them or not. The file `holdfast-codegen.json` beside them says how the files look; options other
/// than `--target` are passed to the tool and take precedence.
@main struct GenerateModelsPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let names = extractor.extractOption(named: "target")
        let targets = try names.isEmpty ? context.package.targets : context.package.targets(named: names)
        let tool = try context.tool(named: "holdfast-codegen").url
        var count = 0
        for target in targets.compactMap(\.sourceModule) {
            let files = files(in: target.directoryURL)
            let schemas = files.filter { $0.pathExtension == "graphql" }
            guard !schemas.isEmpty else { continue }
            count += 1
            let configuration = files.filter { $0.lastPathComponent == "holdfast-codegen.json" }
            let folder = target.directoryURL.appending(path: "Models")
            let process = Process()
            process.executableURL = tool
            process.arguments =
                ["--command", "swift package generate-models", "--output", folder.path]
                + configuration.flatMap { ["--configuration", $0.path] } + extractor.remainingArguments
                + schemas.map(\.path)
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

    /// The files below a directory, by path; without what SwiftPM keeps in the hidden ones.
    private func files(in folder: URL) -> [URL] {
        let found = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        return (found?.compactMap { $0 as? URL } ?? []).sorted { $0.path < $1.path }
    }
}
