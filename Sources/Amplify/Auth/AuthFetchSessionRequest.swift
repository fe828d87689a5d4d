/// A question for the session.
public struct AuthFetchSessionRequest: Sendable {
    // Immutable; what is inside is the plug-in's.
    /// What a plug-in wants to know beside.
    public struct Options: @unchecked Sendable {
        /// Whether new tokens are fetched although the current ones are valid.
        public let forceRefresh: Bool
        /// For the plug-in alone.
        public let pluginOptions: Any?

        /// Creates options.
        public init(forceRefresh: Bool = false, pluginOptions: Any? = nil) {
            self.forceRefresh = forceRefresh
            self.pluginOptions = pluginOptions
        }

        /// New tokens are fetched although the current ones are valid.
        public static func forceRefresh() -> Options { Options(forceRefresh: true) }
    }
}
