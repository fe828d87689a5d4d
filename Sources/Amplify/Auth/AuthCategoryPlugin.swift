/// What the Auth category runs on.
public protocol AuthCategoryPlugin: Plugin, AuthCategoryBehavior {}

extension AuthCategoryPlugin {
    /// Who the user is.
    public var categoryType: CategoryType { .auth }
}
