#if CLI

extension Assessment {
    /// Looks for what the rules name in a Swift source that imports a module of Amplify.
    mutating func readSwift(_ file: ProjectFile) {
        guard file.text.contains("Amplify") || file.text.contains("AWS") else { return }
        let tokens = CodeTokens.of(file.text)
        readImports(tokens, file.name)
        var position = 0
        while position < tokens.count {
            guard tokens[position].kind == .word, let match = CompatibilityRule.longestMatch(tokens[position...]) else {
                position += 1
                continue
            }
            add(match.rule.verdict, match.subject, file.name, tokens[position].line, note: match.rule.note)
            position += match.length
        }
    }

    private mutating func readImports(_ tokens: [CodeToken], _ file: String) {
        for (position, token) in tokens.enumerated().dropLast() where token.kind == .word && token.text == "import" {
            let module = tokens[position + 1].text
            guard let (verdict, note) = Self.modules[module] else { continue }
            add(verdict, "import \(module)", file, token.line, note: note)
        }
    }

    /// The modules of Amplify, and what replaces those that are missing.
    private static let modules: [String: (Verdict, String?)] = {
        let other =
            "Holdfast has no such category; keep this part of Amplify out of the target, or replace the service."
        var modules: [String: (Verdict, String?)] = [
            "AmplifyPlugins": (.missing, "Write `import AWSDataStorePlugin`, as amplify-swift has it since 1.0."),
            "AWSCognitoAuthPlugin": (
                .missing,
                "There is no plug-in for Cognito; add an `AuthCategoryPlugin` of your own, or give the "
                    + "API plug-in an `APIAuthProviderFactory` with your tokens."
            ),
            "Authenticator": (.missing, "Its screens need the plug-in for Cognito; use your identity provider's."),
            "AWSAppSync": (.missing, "An SDK before Amplify; use `Amplify.API` or the DataStore."),
            "AWSMobileClient": (.missing, "An SDK before Amplify; add an `AuthCategoryPlugin` of your own."),
        ]
        for module in ["Amplify", "AWSAPIPlugin", "AWSDataStorePlugin", "AWSPluginsCore"] {
            modules[module] = (.same, nil)
        }
        for module in [
            "AWSS3StoragePlugin", "AWSPinpointAnalyticsPlugin", "AWSPinpointPushNotificationsPlugin",
            "AWSLocationGeoPlugin", "AWSPredictionsPlugin", "CoreMLPredictionsPlugin", "AWSCloudWatchLoggingPlugin",
            "AmplifyFoundation", "InternalAmplifyCredentials",
        ] {
            modules[module] = (.missing, other)
        }
        return modules
    }()

    /// Looks for the dependency that must be replaced.
    mutating func readManifest(_ file: ProjectFile) {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.contains("aws-amplify/amplify-swift") || line.contains("aws-amplify/amplify-ios") {
                add(
                    .different, "package amplify-swift", file.name, index + 1,
                    note: "Replace it by Holdfast; its products have the same names.")
            } else if file.name.hasSuffix("Podfile") && line.contains("pod 'Amplify") {
                add(
                    .missing, "CocoaPods", file.name, index + 1,
                    note: "Holdfast is a Swift package; add it in Xcode or in Package.swift.")
            }
        }
    }
}
#endif
