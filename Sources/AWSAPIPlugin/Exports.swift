// The types of requests and of the authorization come with the plug-in, as in the original.
@_exported public import AWSPluginsCore
@_exported public import Amplify
