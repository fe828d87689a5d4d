/// What identifies the records of a model: ``ModelIdentifierFormat/Default`` or ``ModelIdentifierFormat/Custom``.
public protocol AnyModelIdentifierFormat {}

/// What identifies the records of a model.
public enum ModelIdentifierFormat {
    /// One text field called `id`.
    public enum Default: AnyModelIdentifierFormat {
        /// The field's name.
        public static let name = "id"
    }

    /// Any other field, or several.
    public enum Custom: AnyModelIdentifierFormat {
        /// The separator between the values of several fields in ``ModelIdentifierProtocol/stringValue``.
        public static let separator = "#"
    }
}
