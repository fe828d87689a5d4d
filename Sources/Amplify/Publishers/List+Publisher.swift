#if canImport(Combine)
public import Combine
#elseif OpenCombine
public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
public import HoldfastModel

extension List {
    /// A publisher of a list's elements.
    public typealias LazyListPublisher = AnyPublisher<[Element], DataStoreError>
}
#endif
