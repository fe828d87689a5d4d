public import HoldfastStorage

/// Rows to be read as models, with what the models need besides.
///
/// A class, so that a copy of a reader counts one reference and not one for each of these.
@usableFromInline final class RowPage: Sendable {
    @usableFromInline let rows: RowBuffer
    @usableFromInline let loader: (any ModelLoader)?
    @usableFromInline let parents: ParentRows?

    @inlinable init(_ rows: RowBuffer, loader: (any ModelLoader)?, parents: ParentRows?) {
        self.rows = rows
        self.loader = loader
        self.parents = parents
    }
}
