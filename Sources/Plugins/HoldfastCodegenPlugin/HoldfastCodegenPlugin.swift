import Foundation
import PackagePlugin

/// Makes Swift models from the GraphQL schemas among a target's files, whenever one of them changes.
///
/// Which types a schema has is not known before it is read, so everything goes into one file. The file
/// `holdfast-codegen.json` among the target's files, if there is one, says how.
@main struct HoldfastCodegenPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let schemas = target.sourceFiles.map(\.url).filter { $0.pathExtension == "graphql" }
            .sorted { $0.path < $1.path }
        guard !schemas.isEmpty else {
            Diagnostics.warning("Target '\(target.name)' has no .graphql file, so no models are made.")
            return []
        }
        let configuration = target.sourceFiles.map(\.url).filter { $0.lastPathComponent == "holdfast-codegen.json" }
        let file = "AmplifyModels.swift"
        let folder = context.pluginWorkDirectoryURL
        return [
            .buildCommand(
                displayName: "Making models from \(schemas.map(\.lastPathComponent).joined(separator: ", "))",
                executable: try context.tool(named: "holdfast-codegen").url,
                arguments: [
                    "--command", "HoldfastCodegenPlugin", "--single-file", file, "--output", folder.path,
                ] + configuration.flatMap { ["--configuration", $0.path] } + schemas.map(\.path),
                inputFiles: schemas + configuration,
                outputFiles: [folder.appending(path: file)])
        ]
    }
}
