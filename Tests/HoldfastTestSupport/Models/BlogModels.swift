public import Foundation
public import HoldfastModel

/// A blog with posts, in the shape of generated models.
public struct Blog: Model {
    public let id: String
    public var name: String
    public var posts: List<Post>?

    public init(id: String = UUID().uuidString, name: String, posts: List<Post>? = []) {
        self.id = id
        self.name = name
        self.posts = posts
    }
}

extension Blog {
    public enum CodingKeys: String, ModelKey {
        case id, name, posts
    }

    public static let keys = CodingKeys.self

    public static let schema = defineSchema { model in
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
    public init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        name = try row.read(1)
        posts = row.children(by: "blog", keyColumns: 0)
    }

    public func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(name)
    }
}

/// How far a post has come.
public enum PostStatus: String, EnumPersistable {
    case draft = "DRAFT"
    case published = "PUBLISHED"
}

/// A post that may belong to a blog.
public struct Post: Model {
    public let id: String
    public var title: String
    public var rating: Int?
    public var status: PostStatus?
    public var tags: [String]?
    public var createdAt: Temporal.DateTime?
    internal var _blog: LazyReference<Blog>
    public var blog: Blog? {
        get async throws { try await _blog.get() }
    }

    public init(
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

    public mutating func setBlog(_ blog: Blog? = nil) { _blog = LazyReference(blog) }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        title = try values.decode(String.self, forKey: .title)
        rating = try? values.decode(Int?.self, forKey: .rating)
        status = try? values.decode(PostStatus?.self, forKey: .status)
        tags = try? values.decode([String]?.self, forKey: .tags)
        createdAt = try? values.decode(Temporal.DateTime?.self, forKey: .createdAt)
        _blog = try values.decodeIfPresent(LazyReference<Blog>.self, forKey: .blog) ?? LazyReference(nil)
    }

    public func encode(to encoder: any Encoder) throws {
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
    public enum CodingKeys: String, ModelKey {
        case id, title, rating, status, tags, createdAt, blog
    }

    public static let keys = CodingKeys.self

    public static let schema = defineSchema { model in
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
    public init(row: RowReader) throws(ModelError) {
        id = try row.read(0)
        title = try row.read(1)
        rating = try row.read(2)
        status = try row.read(3)
        tags = try row.read(4)
        createdAt = try row.read(5)
        _blog = row.reference(6)
    }

    public func write(to row: inout RowWriter) throws(ModelError) {
        row.write(id)
        row.write(title)
        row.write(rating)
        row.write(status)
        row.write(tags)
        row.write(createdAt)
        try row.write(_blog)
    }
}
