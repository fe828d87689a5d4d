// Generated models import `Amplify` only, so everything they name comes with it.
@_exported public import HoldfastModel

// Where requests over HTTP are in a module of their own, code that names them imports only this one.
#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
