#if CLI
import Foundation
import HoldfastStorage

/// What this program was built with, and where it runs.
enum BuildCheck {
    static var finding: Finding {
        .ok("version", "built by Swift \(swift) with \(parts.joined(separator: ", ")); runs on \(system)")
    }

    private static var swift: String {
        #if swift(>=6.4)
        "6.4 or later"
        #elseif swift(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }

    private static var system: String {
        let process = ProcessInfo.processInfo
        return "\(process.operatingSystemVersionString), \(process.activeProcessorCount) cores"
    }

    /// The adapters with the versions of their libraries, and the server.
    private static var parts: [String] {
        var parts: [String] = []
        for address in [StoreAddress.sqlite(path: "none"), .levelDB(path: "none")] where address.missingTrait == nil {
            guard let capabilities = try? address.makeAdapter(isReadOnly: true).capabilities else { continue }
            parts.append("\(capabilities.adapterName) \(capabilities.engineVersion ?? "")")
        }
        #if PostgreSQL
        parts.append("postgresql")
        #endif
        parts.append("memory")
        #if Server
        parts.append("the server")
        #endif
        return parts
    }
}
#endif
