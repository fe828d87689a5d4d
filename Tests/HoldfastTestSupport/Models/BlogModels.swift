import Foundation
package import HoldfastModel

/// A blog with posts, in the shape of generated models.
package struct Blog: Model {
    package let id: String
    package var name: String
    package var posts: List<Post>?

    package init(id: String = UUID().uuidString, name: String, posts: List<Post>? = []) {
        self.id = id
        self.name = name
        self.posts = posts
    }
}

extension Blog {
    package enum CodingKeys: String, ModelKey {
        case id, name, posts
    }

    package static let keys = CodingKeys.self

    package class Path: ModelPath<Blog> {}

    package static var rootPath: (any PropertyContainerPath)? { Path() }

    package static let schema = defineSchema { model in
        model.listPluralName = "Blogs"
        model.syncPluralName = "Blogs"
        model.attributes(.primaryKey(fields: [Blog.keys.id]))
        model.fields(
            .field(keys.id, is: .required, ofType: .string),
            .field(keys.name, is: .required, ofType: .string),
            .hasMany(keys.posts, is: .optional, ofType: Post.self, associatedWith: Post.keys.blog))
    }
}

extension Blog {
    package init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        name = try row.read(1)
        posts = row.children(by: "blog", keyColumns: 0)
    }

    package func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(name)
    }
}

/// How far a post has come.
package enum PostStatus: String, EnumPersistable {
    case draft = "DRAFT"
    case published = "PUBLISHED"
}

/// A post that may belong to a blog.
package struct Post: Model {
    package let id: String
    package var title: String
    package var rating: Int?
    package var status: PostStatus?
    package var tags: [String]?
    package var createdAt: Temporal.DateTime?
    internal var _blog: LazyReference<Blog>
    package var blog: Blog? {
        get async throws { try await _blog.get() }
    }

    package init(
        id: String = UUID().uuidString, title: String, rating: Int? = nil, status: PostStatus? = nil,
        tags: [String]? = nil, createdAt: Temporal.DateTime? = nil, blog: Blog? = nil
    ) {
        self.id = id
        self.title = title
        self.rating = rating
        self.status = status
        self.tags = tags
        self.createdAt = createdAt
        self._blog = LazyReference(blog)
    }

    package mutating func setBlog(_ blog: Blog? = nil) { _blog = LazyReference(blog) }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        title = try values.decode(String.self, forKey: .title)
        rating = try? values.decode(Int?.self, forKey: .rating)
        status = try? values.decode(PostStatus?.self, forKey: .status)
        tags = try? values.decode([String]?.self, forKey: .tags)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        _blog = try values.decodeIfPresent(LazyReference<Blog>.self, forKey: .blog) ?? LazyReference(nil)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(rating, forKey: .rating)
        try container.encode(status, forKey: .status)
        try container.encode(tags, forKey: .tags)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(_blog, forKey: .blog)
    }
}

extension Post {
    package enum CodingKeys: String, ModelKey {
        case id, title, rating, status, tags, createdAt, blog
    }

    package static let keys = CodingKeys.self

    package class Path: ModelPath<Post> {}

    package static var rootPath: (any PropertyContainerPath)? { Path() }

    package static let schema = defineSchema { model in
        model.attributes(.primaryKey(fields: [Post.keys.id]), .index(fields: ["rating"], name: "byRating"))
        model.fields(
            .field(keys.id, is: .required, ofType: .string),
            .field(keys.title, is: .required, ofType: .string),
            .field(keys.rating, is: .optional, ofType: .int),
            .field(keys.status, is: .optional, ofType: .enum(type: PostStatus.self)),
            .field(keys.tags, is: .optional, ofType: .embeddedCollection(of: String.self)),
            .field(keys.createdAt, is: .optional, ofType: .dateTime),
            .belongsTo(keys.blog, is: .optional, ofType: Blog.self, targetNames: ["blogID"]))
    }
}

extension Post {
    package init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        title = try row.read(1)
        rating = try row.read(2)
        status = try row.read(3)
        tags = try row.read(4)
        createdAt = try row.read(5)
        _blog = row.reference(6)
    }

    package func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(title)
        row.write(rating)
        row.write(status)
        row.write(tags)
        row.write(createdAt)
        try row.write(_blog)
    }
}
