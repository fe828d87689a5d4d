/// Which part of the results a query returns.
///
/// ```swift
/// let second = try await store.query(Post.self, paginate: .page(1, limit: 2))  // one post
/// let first = try await store.query(Post.self, paginate: .firstResult).first
/// ```
public struct QueryPaginationInput: Sendable, Hashable {
    /// The number of results on a page unless another is given.
    public static let defaultLimit: UInt = 100

    /// The page, counted from 0.
    public let page: UInt
    /// The number of results on a page; 0 for none.
    public let limit: UInt

    /// A page of a given size.
    public static func page(_ page: UInt, limit: UInt = defaultLimit) -> QueryPaginationInput {
        QueryPaginationInput(page: page, limit: limit)
    }

    /// The first page of the usual size.
    public static var firstPage: QueryPaginationInput { .page(0) }

    /// The first result only.
    public static var firstResult: QueryPaginationInput { .page(0, limit: 1) }
}
