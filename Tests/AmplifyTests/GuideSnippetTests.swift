// swift-format-ignore-file
// The snippets keep their own formatting.
import AWSDataStorePlugin
import Amplify
import Foundation
import Testing

// The code between the lines "snippet" and "end" is in the guide. Lines that use a value that the guide does not use
// are added, because warnings are errors here.
extension AmplifySuite {
    @Suite struct GuideSnippetTests {
        @Test func setup() async throws {
            try await resetting {
                // snippet
                do {
                    try Amplify.add(plugin: AWSDataStorePlugin(modelRegistration: AmplifyModels()))
                    // add after all other plugins
                    try Amplify.configure()
                } catch {
                    print("An error occurred setting up Amplify: \(error)")
                }
                // end
                let plugin = try Amplify.DataStore.getPlugin(for: "awsDataStorePlugin")
                #expect(plugin is AWSDataStorePlugin)
            }
        }

        @Test(arguments: FacadeAdapter.all) func saving(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                // snippet
                Amplify.DataStore.save(
                    Post(title: "My First Post",
                         rating: 10,
                         status: "active")
                ){
                    switch $0 {
                    case .success:
                        print("Added post")
                    case .failure(let err):
                        print("Error adding post - \(err.localizedDescription)")
                    }
                }
                // end
                #expect(await output.next() == "Added post")
                let posts = try await Amplify.DataStore.query(Post.self)
                #expect(posts.map(\.title) == ["My First Post"])
            }
        }

        @Test(arguments: FacadeAdapter.all) func querying(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                try await Amplify.DataStore.save(Post(id: "p1", title: "One", rating: 5, status: "draft"))
                // snippet
                  Amplify.DataStore.query(Post.self){
                        switch $0 {
                        case .success(let result):
                          print("Posts: \(result)")   //result will be of type [Post]
                        case .failure(let err):
                         print("Error listing posts - \(err.localizedDescription)")
                      }
                }
                // end
                let line = await output.next()
                #expect(line.hasPrefix("Posts: [") && line.contains("p1"))
            }
        }

        @Test(arguments: FacadeAdapter.all) func predicates(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                try await Amplify.DataStore.save(Post(id: "p1", title: "One", rating: 5, status: "draft"))
                try await Amplify.DataStore.save(Post(id: "p2", title: "Two", rating: 4, status: "active"))
                try await Amplify.DataStore.save(Post(id: "p3", title: "Three", rating: 4, status: "draft"))
                // snippet
                let p = Post.keys
                Amplify.DataStore.query(Post.self, where: { p.rating > 4 }){
                    switch $0 {
                    case .success(let result):
                      print("Posts: \(result)")
                    case .failure(let err):
                      print("Error listing posts - \(err.localizedDescription)")
                    }
                }
                // end
                var line = await output.next()
                #expect(line.contains("p1") && !line.contains("p2"))
                do {
                    // snippet
                    let p = Post.keys
                    Amplify.DataStore.query(Post.self, where: { p.rating > 4 || p.status == "active" }){
                        switch $0 {
                        case .success(let result):
                          print("Posts: \(result)")
                        case .failure(let err):
                          print("Error listing posts - \(err.localizedDescription)")
                        }
                    }
                    // end
                }
                line = await output.next()
                #expect(line.contains("p1") && line.contains("p2") && !line.contains("p3"))
                do {
                    // snippet
                    let p = Post.keys
                    Amplify.DataStore.query(Post.self, where: { p.rating.gt(4).or(p.status.eq("active")) }){
                        //...more code
                        // end
                        print((try? $0.get().map(\.id)) ?? [])
                    }
                }
                #expect(await output.next() == #"["p1", "p2"]"#)
            }
        }

        @Test(arguments: FacadeAdapter.all) func updating(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                try await Amplify.DataStore.save(Post(id: "123", title: "One", rating: 5, status: "active"))
                // snippet
                Amplify.DataStore.query(Post.self, byId: "123") {
                    switch $0 {
                    case .success(let post):
                        print("Updating the post \(String(describing: post))")
                        if var updatedPost = post {
                            updatedPost.status = "inactive"
                            Amplify.DataStore.save(updatedPost){ res in
                                switch res {
                                case .success:
                                    print("Post updated!")
                                case .failure(let err):
                                    print("Failed to update post - \(err.localizedDescription)")
                                }
                            }
                        }
                    case .failure(let err):
                        print("Post not found - \(err.localizedDescription)")
                    }
                }
                // end
                #expect(await output.next().hasPrefix("Updating the post Optional("))
                #expect(await output.next() == "Post updated!")
                #expect(try await Amplify.DataStore.query(Post.self, byId: "123")?.status == "inactive")
            }
        }

        @Test(arguments: FacadeAdapter.all) func deleting(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let post = try await Amplify.DataStore.save(Post(title: "One", rating: 5, status: "active"))
                try await Amplify.DataStore.save(Post(id: "123", title: "Two", rating: 5, status: "active"))
                // snippet
                Amplify.DataStore.delete(post) {
                    switch $0 {
                    case .success:
                        print("Post deleted!")
                    case .failure(let err):
                        print("Error deleting post - \(err.localizedDescription)")
                    }
                }
                // end
                #expect(await output.next() == "Post deleted!")
                #expect(try await Amplify.DataStore.query(Post.self).map(\.id) == ["123"])
                // snippet
                Amplify.DataStore.delete(Post.self, withId: "123") {
                    switch $0 {
                    case .success:
                        print("Post deleted!")
                    case .failure(let err):
                        print("Error deleting post - \(err.localizedDescription)")
                    }
                }
                // end
                #expect(await output.next() == "Post deleted!")
                #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
            }
        }
    }
}
