/// A sign-out.
public struct AuthSignOutRequest: Sendable {
    // Immutable; what is inside is the plug-in's.
    /// What a plug-in wants to know beside.
    public struct Options: @unchecked Sendable {
        /// Whether the user is signed out on all devices.
        public let globalSignOut: Bool
        /// For the plug-in alone.
        public let pluginOptions: Any?

        /// Creates options.
        public init(globalSignOut: Bool = false, pluginOptions: Any? = nil) {
            self.globalSignOut = globalSignOut
            self.pluginOptions = pluginOptions
        }
    }
}
