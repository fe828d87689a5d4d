import HoldfastWire

/// What a subscriber sends.
enum ErrandFrames {
    /// The first frame.
    static let initialization = ClientFrame.connectionInit.bytes
    /// Subscribes to every change.
    static let start = ClientFrame.start(
        id: "1", operation: WireOperation(ErrandService.subscription),
        authorization: .apiKey(ErrandService.key, host: "127.0.0.1", date: "20260101T000000Z")
    ).bytes
}
