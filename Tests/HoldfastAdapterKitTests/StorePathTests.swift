import Foundation
import HoldfastAdapterKit
import Testing

@Suite struct StorePathTests {
    @Test func temporaryDirectoriesAreOfThisUserAlone() throws {
        let directories = [try StorePath.temporaryDirectory(), try StorePath.temporaryDirectory()]
        defer { for directory in directories { try? FileManager.default.removeItem(atPath: directory) } }
        #expect(directories[0] != directories[1])
        for directory in directories {
            #expect(directory.hasPrefix("/"))
            let attributes = try FileManager.default.attributesOfItem(atPath: directory)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        }
    }
}
