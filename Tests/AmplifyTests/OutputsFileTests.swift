import Foundation
import Testing

@testable import Amplify

@Suite struct OutputsFileTests {
    @Test func aFileThatCannotBeReadIsAnErrorOfTheConfiguration() {
        #expect {
            try AmplifyOutputs.read(URL(fileURLWithPath: "/nowhere/amplify_outputs.json"))
        } throws: { error in
            guard case .invalidAmplifyOutputsFile? = error as? ConfigurationError else { return false }
            return true
        }
    }
}
