// swift-format-ignore-file
// The snippets keep their own formatting.
import Amplify
import Foundation
import Testing

// As in GuideSnippetTests.
extension AmplifySuite {
    @Suite struct RelationSnippetTests {
        @Test(arguments: FacadeAdapter.all) func oneToMany(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                // snippet
                let postWithComments = Post(title: "My post with comments",
                                            rating: 5,
                                            status: "active")

                let comment = Comment(content: "Loving Amplify DataStore", post: postWithComments)

                Amplify.DataStore.save(postWithComments) {
                    switch $0 {
                    case .failure(let err):
                        print("Error adding post - \(err.localizedDescription)")
                    case .success(let post):
                        _ = post  // added
                        Amplify.DataStore.save(comment) {
                            switch $0 {
                            case .success:
                                print("Comment saved!")
                            case .failure(let err):
                                print("Error adding comment - \(err.localizedDescription)")
                            }
                        }
                    }
                }
                // end
                #expect(await output.next() == "Comment saved!")
                #expect(try await Amplify.DataStore.query(Comment.self).first?.post?.id == postWithComments.id)
                try await queryAndDelete(try #require(Amplify.DataStore.query(Post.self, byId: postWithComments.id)))
            }
        }

        func queryAndDelete(_ postWithComments: Post) async throws {
            try await postWithComments.comments?.fetch()
            // snippet
            if let comments = postWithComments.comments {
                for comment in comments {
                    print(comment.content)
                }
            }
            // end
            #expect(await output.next() == #"Optional("Loving Amplify DataStore")"#)
            // snippet
            let excitedComments = postWithComments
                .comments?
                .compactMap { $0.content }
                .filter { $0.contains("Wow!") }
            // end
            #expect(excitedComments == [])
            // snippet
            Amplify.DataStore.delete(postWithComments) {
                switch $0 {
                case .success:
                    print("Post and comments deleted!")
                case .failure(let err):
                    print("Error deleting post and comments - \(err.localizedDescription)")
                }
            }
            // end
            #expect(await output.next() == "Post and comments deleted!")
            #expect(try await Amplify.DataStore.query(Post.self).isEmpty)
            #expect(try await Amplify.DataStore.query(Comment.self).isEmpty)
        }

        @Test(arguments: FacadeAdapter.all) func manyToMany(adapter: FacadeAdapter) async throws {
            try await adapter.run {
                let postWithEditors = Post(title: "With editors", rating: 5, status: "active")
                let nadia = User(firstName: "Nadia", lastName: "N", createdAt: .now())
                let postEditor = PostEditor(post: postWithEditors, editor: nadia)
                // snippet
                Amplify.DataStore.save(postWithEditors) {
                    switch $0 {
                    case .failure(let err):
                        print("Error adding post - \(err.localizedDescription)")
                    case .success:
                        Amplify.DataStore.save(nadia) {
                            switch $0 {
                            case .failure(let err):
                                print("Error adding user - \(err.localizedDescription)")
                            case .success:
                                Amplify.DataStore.save(postEditor) {
                                    switch $0 {
                                    case .failure(let err):
                                        print("Error saving postEditor - \(err.localizedDescription)")
                                    case .success:
                                        print("Saved user, post and postEditor!")
                                    }
                                }
                            }
                        }
                    }
                }
                // end
                #expect(await output.next() == "Saved user, post and postEditor!")
                #expect(try await Amplify.DataStore.query(PostEditor.self).first?.editor.firstName == "Nadia")
                try await Amplify.DataStore.delete(postWithEditors)
                #expect(try await Amplify.DataStore.query(PostEditor.self).isEmpty)
                #expect(try await Amplify.DataStore.query(User.self).count == 1)
            }
        }
    }
}
