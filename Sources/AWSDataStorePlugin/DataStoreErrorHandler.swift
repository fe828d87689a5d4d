public import Amplify

/// Called with what goes wrong in the background.
public typealias DataStoreErrorHandler = @Sendable (any AmplifyError) -> Void
