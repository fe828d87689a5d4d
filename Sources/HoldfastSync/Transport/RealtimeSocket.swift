/// One socket to a service.
public protocol RealtimeSocket: Sendable {
    /// Sends the text of one frame. Calls come one after the other.
    ///
    /// - Throws: ``TransportError`` if the socket failed.
    func send(_ text: [UInt8]) async throws(TransportError)

    /// The text of the next frame; `nil` once the socket is closed. Calls come one after the other.
    ///
    /// - Throws: ``TransportError`` if the socket failed.
    func next() async throws(TransportError) -> [UInt8]?

    /// Closes the socket. A call of ``next()`` that waits returns `nil`.
    func close() async
}
