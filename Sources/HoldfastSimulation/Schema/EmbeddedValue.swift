import HoldfastModel

/// A value of any embedded type of the schema; cells have it as JSON.
struct EmbeddedValue: Embeddable {}
