// The sync metadata types of this module's namesake are among the models.
@_exported public import HoldfastModel
