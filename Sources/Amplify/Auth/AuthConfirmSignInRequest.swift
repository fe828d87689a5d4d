/// The answer to a step of a sign-in.
public struct AuthConfirmSignInRequest: Sendable {
    // Immutable; what is inside is the plug-in's.
    /// What a plug-in wants to know beside.
    public struct Options: @unchecked Sendable {
        /// For the plug-in alone.
        public let pluginOptions: Any?

        /// Creates options.
        public init(pluginOptions: Any? = nil) { self.pluginOptions = pluginOptions }
    }
}
