// Generated models import `Amplify` only, so everything they name comes with it.
@_exported public import HoldfastModel
