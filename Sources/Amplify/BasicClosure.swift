/// A closure that takes and returns nothing.
public typealias BasicClosure = () -> Void

/// A closure that takes and returns nothing, and may fail.
public typealias BasicThrowableClosure = () throws -> Void
