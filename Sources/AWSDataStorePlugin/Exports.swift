// The types that the configuration is made of.
@_exported public import AWSPluginsCore
