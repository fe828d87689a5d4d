import AWSDataStorePlugin
import AWSPluginsCore
import Amplify
import Foundation
import Testing

/// What code of the original uses beside the DataStore itself.
struct SupportTests {
    @Test func aTaskSleepsForSeconds() async throws {
        for seconds in [0, -1, .nan, 0.000_001] { try await Task.sleep(seconds: seconds) }
        for seconds in [1_000_000, Double.greatestFiniteMagnitude, .infinity] {
            let task = Task { try await Task.sleep(seconds: seconds) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func closuresMayThrow() throws {
        var calls: [String] = []
        let plain: BasicClosure = { calls.append("plain") }
        let throwing: BasicThrowableClosure = { throw CancellationError() }
        plain()
        #expect(throws: CancellationError.self) { try throwing() }
        #expect(calls == ["plain"])
    }

    @Test(
        arguments: [
            ("post", "Post", "post"), ("Post", "Post", "post"), ("postComment", "PostComment", "postComment"),
            ("", "", ""), ("ßa", "SSa", "ßa"),
        ]) func namesAreInPascalAndCamelCase(text: String, pascal: String, camel: String)
    {
        #expect(text.pascalCased() == pascal)
        #expect(text.camelCased() == camel)
    }

    @Test func operationsOfGraphQLHaveTheirNames() throws {
        let types: [(MutationEvent.MutationType, GraphQLMutationType)] = [
            (.create, .create), (.update, .update), (.delete, .delete),
        ]
        for (type, mutation) in types {
            #expect(type.graphQLMutationType == mutation)
            #expect(type.rawValue == mutation.rawValue)
        }
        #expect([GraphQLQueryType.get, .list, .sync].map(\.rawValue) == ["get", "list", "sync"])
        #expect(
            [GraphQLSubscriptionType.onCreate, .onUpdate, .onDelete].map(\.rawValue) == [
                "onCreate", "onUpdate", "onDelete",
            ])
        #expect(
            [GraphQLOperationType.query, .mutation, .subscription].map(\.rawValue) == [
                "query", "mutation", "subscription",
            ])
    }

    @Test func kindsOfAuthorizationHaveTheirNames() {
        #expect(AWSAuthorizationType(rawValue: "AWS_LAMBDA") == .function)
        #expect(AWSAuthorizationType.allCases.filter(\.requiresAuthPlugin) == [.awsIAM, .amazonCognitoUserPools])
    }

    @Test(
        arguments: [
            ("ConflictUnhandled", AppSyncErrorType.conflictUnhandled),
            ("ConditionalCheckFailedException", .conditionalCheck), ("Unauthorized", .unauthorized),
            ("OperationDisabled", .operationDisabled), ("BadRequest", .unknown("BadRequest")),
        ]) func kindsOfErrorsHaveTheirNames(word: String, type: AppSyncErrorType)
    {
        #expect(AppSyncErrorType(word) == type)
        #expect(type.rawValue == word)
    }

    @Test func aResponseThatCannotBeReadSaysWhy() {
        let text: RawGraphQLResponse = "{}"
        let error = GraphQLResponseError<Int>.transformationError(text, .unknown("No.", "Look."))
        #expect(error.errorDescription == "No.")
    }

    @Test func codersTakeStrategiesForDates() throws {
        let dates = [Date(timeIntervalSince1970: 0)]
        let data = try JSONEncoder(dateEncodingStrategy: ModelDateFormatting.encodingStrategy).encode(dates)
        #expect(String(decoding: data, as: UTF8.self).contains("1970-01-01"))
        let decoder = JSONDecoder(dateDecodingStrategy: ModelDateFormatting.decodingStrategy)
        #expect(try decoder.decode([Date].self, from: data) == dates)
    }

    @Test func levelsAreReadFromNamesAndNumbers() throws {
        let levels: [Amplify.LogLevel] = [.debug, .warn, .none, .error, .none]
        let data = Data(#"["debug", "WARN", "none", 0, 5]"#.utf8)
        #expect(try JSONDecoder().decode([LogLevel].self, from: data) == levels)
        for text in [#"["loud"]"#, "[6]", "[true]"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([LogLevel].self, from: Data(text.utf8)) }
        }
    }

    private struct Worker: DefaultLogger {}
    private struct Named: DefaultLogger {
        static var log: any Logger { Amplify.Logging.logger(forCategory: "Named", logLevel: .verbose) }
    }

    @Test func loggersHaveTheirLevel() {
        #expect(Named().log.logLevel == .verbose)
        #expect(Worker().log.logLevel == Amplify.Logging.logLevel)
        let categories: [any DefaultLogger] = [Amplify.DataStore, Amplify.Hub]
        #expect(categories.allSatisfy { $0.log.logLevel == Amplify.Logging.logLevel })
    }
}

extension AmplifySuite {
    @Suite struct LoggingTests {
        @Test func loggersAreNamedAndCanBeDisabled() async throws {
            try await resetting {
                Amplify.Logging.redirect { _, category, message in print("\(category): \(message)") }
                Amplify.Logging.default.error("one")
                Amplify.Logging.disable()
                Amplify.Logging.error("two")
                Amplify.Logging.logger(forCategory: "Part", logLevel: .verbose).error("three")
                Amplify.Logging.enable()
                Amplify.Logging.logger(forCategory: "Part", logLevel: .none).error("none")
                Amplify.Logging.logger(forNamespace: "App").error("four")
                Amplify.Logging.logger(forCategory: "Part", forNamespace: "App").error("five")
                for line in ["Amplify: one", "App: four", "App.Part: five"] { #expect(await output.next() == line) }
            }
        }
    }

    @Suite struct HubPluginTests {
        /// As the original's tests wait for a listener.
        private func waitForListener(with token: UnsubscribeToken) throws -> Bool {
            let plugin: any HubCategoryPlugin = try Amplify.Hub.getPlugin(for: AWSHubPlugin.key)
            return (plugin as? AWSHubPlugin)?.hasListener(withToken: token) ?? false
        }

        @Test func listenersAreFoundByTheirTokens() async throws {
            let token = Amplify.Hub.listen(to: .dataStore) { _ in }
            #expect(try waitForListener(with: token))
            Amplify.Hub.removeListener(token)
            #expect(try !waitForListener(with: token))
            let forgotten = Amplify.Hub.listen(to: .dataStore) { _ in }
            await Amplify.reset()
            #expect(try !waitForListener(with: forgotten))
        }

        @Test func thereIsNoOtherPlugin() {
            #expect(throws: PluginError.self) { try Amplify.Hub.getPlugin(for: "other") }
        }

        @Test func messagesBearTheirCategory() async throws {
            try await resetting {
                Amplify.Logging.redirect { _, category, message in print("\(category): \(message)") }
                Amplify.DataStore.log.error("a")
                #expect(await output.next() == "DataStore: a")
                HubCategory.log.error("b")
                #expect(await output.next() == "Hub: b")
                AWSDataStorePlugin.log.error("c")
                #expect(await output.next() == "DataStore: c")
            }
        }
    }
}
