// swift-format-ignore-file
// The snippets keep their own formatting.
import AWSAPIPlugin
import AWSDataStorePlugin
import Amplify
import Foundation
import Testing

// As in GuideSnippetTests: what the pages about syncing show that needs no service.
extension AmplifySuite {
    @Suite struct SyncingSnippetTests {
        @Test(arguments: FacadeAdapter.all) func conditionalSaves(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                var post = try await Amplify.DataStore.save(Post(title: "[Amplify] One", rating: 5, status: "active"))
                for _ in 0..<2 {
                    // snippet
                    do {
                        try await Amplify.DataStore.save(
                            post,
                            where: Post.keys.title.beginsWith("[Amplify]"))
                        print("Post updated successfully!")
                    } catch let error as DataStoreError {
                        print("Could not update post, maybe the title has been changed? - \(error)")
                    } catch {
                        print("Unexpected error \(error)")
                    }
                    // end
                    post.title = "Changed"
                    try await Amplify.DataStore.save(post)
                }
                #expect(await output.next() == "Post updated successfully!")
                #expect(await output.next().hasPrefix("Could not update post, maybe the title has been changed?"))
            }
        }

        @Test(arguments: FacadeAdapter.all) func localChecks(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let post = try await Amplify.DataStore.save(Post(title: "[Amplify] One", rating: 5, status: "active"))
                // snippet
                // Tests only against the local state
                if post.title.starts(with: "[Amplify]") {
                    let savedPost = try await Amplify.DataStore.save(post)
                    _ = savedPost  // added
                }
                // Only applies the update if the data in the remote backend satisfies the criteria
                let savedPost = try await Amplify.DataStore.save(
                    post,
                    where: Post.keys.title.beginsWith("[Amplify]")
                )
                // end
                #expect(savedPost.id == post.id)
            }
        }

        @Test(arguments: FacadeAdapter.all) func clearingAtSignOut(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                // snippet
                let isSignedOut = HubFilters.forEventName(HubPayload.EventName.Auth.signedOut)
                let token = Amplify.Hub.listen(to: .auth, isIncluded: isSignedOut) { payload in
                    Task {
                        do {
                            try await Amplify.DataStore.clear()
                            print("Local data cleared successfully.")
                        } catch let error as DataStoreError {
                            print("Error clearing DataStore \(error)")
                        } catch {
                            print("Unexpected error \(error)")
                        }
                    }
                }
                // end
                try await Amplify.DataStore.save(Post(title: "One", rating: 5, status: "active"))
                Amplify.Hub.dispatch(to: .auth, payload: HubPayload(eventName: "Auth.signedIn"))
                Amplify.Hub.dispatch(
                    to: .auth, payload: HubPayload(eventName: HubPayload.EventName.Auth.signedOut))
                #expect(await output.next() == "Local data cleared successfully.")
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
                Amplify.Hub.removeListener(token)
            }
        }

        @Test func addingTheAPIPlugin() async throws {
            try await resetting {
                // snippet
                try Amplify.add(plugin: AWSAPIPlugin())
                // end
                #expect(try Amplify.API.getPlugin(for: "awsAPIPlugin") is AWSAPIPlugin)
                // There is no configuration file here.
                #expect(throws: PluginError.self) { try Amplify.configure() }
            }
        }

        @Test func syncExpressions() async throws {
            try await resetting {
                // snippet
                let syncExpr1 = DataStoreSyncExpression.syncExpression(Post.schema) {
                    Post.keys.rating.gt(5)
                }
                let syncExpr2 = DataStoreSyncExpression.syncExpression(Comment.schema) {
                    Comment.keys.content.beginsWith("the")
                }
                try Amplify.add(plugin: AWSDataStorePlugin(
                    modelRegistration: AmplifyModels(),
                    configuration: .custom(syncExpressions: [syncExpr1, syncExpr2])
                ))
                // end
                let plugin = try #require(
                    try Amplify.DataStore.getPlugin(for: "awsDataStorePlugin") as? AWSDataStorePlugin)
                let expressions = plugin.configuration.syncExpressions
                #expect(expressions.map(\.modelSchema.name) == ["Post", "Comment"])
                #expect(expressions[0].modelPredicate().evaluate(target: Post(title: "", rating: 6, status: "")))
            }
        }

        @Test func syncExpressionsAtRuntime() async throws {
            try await resetting {
                let application = VariableExpression()
                application.initialize()
                try Amplify.configure()
                #expect(application.expression?().evaluate(target: Post(title: "", rating: 5, status: "")) == false)
                application.rating = 1
                #expect(application.expression?().evaluate(target: Post(title: "", rating: 5, status: "")) == true)
            }
            try await resetting {
                let application = OptionalExpression()
                application.initialize()
                application.rating = nil
                #expect(application.expression?().evaluate(target: Post(title: "", rating: 5, status: "")) == true)
            }
        }

        @Test(arguments: FacadeAdapter.all) func restarting(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let application = VariableExpression()
                try await Amplify.DataStore.save(Post(title: "One", rating: 5, status: "active"))
                await application.changeSync()
                await application.changeSyncAgain()
                for _ in 0..<2 {
                    #expect(await output.next() == "DataStore stopped")
                    #expect(await output.next() == "DataStore started")
                }
                #expect(application.rating == 8)
                #expect(try await Amplify.DataStore.query(Post.self).count == 1)
            }
        }

        @Test func queriesInsteadOfScans() async throws {
            let jane = User(firstName: "Jane", lastName: "Doe", createdAt: .now())
            try await resetting {
                // snippet
                let syncExpr = DataStoreSyncExpression.syncExpression(User.schema) {
                    User.keys.lastName.eq("Doe")
                }
                try Amplify.add(plugin: AWSDataStorePlugin(
                    modelRegistration: AmplifyModels(),
                    configuration: .custom(syncExpressions: [syncExpr])
                ))
                // end
                #expect(syncExpr.modelPredicate().evaluate(target: jane))
            }
            try await resetting {
                // snippet
                let syncExpr = DataStoreSyncExpression.syncExpression(User.schema) {
                    User.keys.lastName.eq("Doe").and(User.keys.createdAt.gt("2020-10-10"))
                }
                try Amplify.add(plugin: AWSDataStorePlugin(
                    modelRegistration: AmplifyModels(),
                    configuration: .custom(syncExpressions: [syncExpr])
                ))
                // end
                // SyncingTests synchronizes with this expression.
                #expect(syncExpr.modelPredicate().evaluate(target: jane))
            }
        }
    }
}

// An application's class; the serial suite uses it from one thread at a time.
private class VariableExpression: @unchecked Sendable {
    var expression: QueryPredicateResolver? {
        let plugin = try? Amplify.DataStore.getPlugin(for: "awsDataStorePlugin") as? AWSDataStorePlugin
        return plugin?.configuration.syncExpressions.first?.modelPredicate
    }

    // snippet
    public var rating = 5
    func initialize() {
        do {
            let variableSyncExpr = DataStoreSyncExpression.syncExpression(Post.schema) {
                Post.keys.rating.gt(self.rating)
            }
            try Amplify.add(plugin: AWSDataStorePlugin(
                modelRegistration: AmplifyModels(),
                configuration: .custom(syncExpressions: [variableSyncExpr])
            ))
        } catch {
            print("Failed to initialize Amplify with \(error)")
        }
    }
    // end
    // The guide leaves out `async`, without which its `await` does not compile.
    func changeSync() async {
        // snippet
        rating = 1
        do {
            try await Amplify.DataStore.stop()
            print("DataStore stopped")
            try await Amplify.DataStore.start()
            print("DataStore started")
        } catch let error as DataStoreError {
            print("Failed with error \(error)")
        } catch {
            print("Unexpected error \(error)")
        }
        // end
    }
    func changeSyncAgain() async {
        // snippet
        rating = 8
        do {
            try await Amplify.DataStore.stop()
            print("DataStore stopped")
            try await Amplify.DataStore.start()
            print("DataStore started")
        } catch let error as DataStoreError {
            print("Failed with error \(error)")
        } catch {
            print("Unexpected error \(error)")
        }
        // end
    }
}

// An application's class; the serial suite uses it from one thread at a time.
private class OptionalExpression: @unchecked Sendable {
    var expression: QueryPredicateResolver? {
        let plugin = try? Amplify.DataStore.getPlugin(for: "awsDataStorePlugin") as? AWSDataStorePlugin
        return plugin?.configuration.syncExpressions.first?.modelPredicate
    }

    // snippet
    public var rating: Int? = 5
    func initialize() {
        let syncExpr = DataStoreSyncExpression.syncExpression(Post.schema) {
            guard let rating = self.rating else {
                return QueryPredicateConstant.all
            }
            return Post.keys.rating.gt(rating)
        }
        do {
            try Amplify.add(plugin: AWSDataStorePlugin(
                modelRegistration: AmplifyModels(),
                configuration: .custom(syncExpressions: [syncExpr])
            ))
        } catch {
            print("Failed to initialize Amplify with \(error)")
        }
    }
    // end
}
