import HoldfastEngine
import HoldfastSyncTestSupport
import Testing

@testable import HoldfastSync

@Suite struct SocketTests {
    private let second = Duration.seconds(1)

    private func opened() -> Socket {
        var socket = Socket()
        _ = socket.open(at: .zero, handshake: .seconds(15))
        _ = socket.opened()
        return socket
    }

    @Test func itIsReadyOnceTheServiceAcknowledges() {
        var socket = Socket()
        #expect(socket.open(at: .zero, handshake: .seconds(15)) == [.connect, .watch(.seconds(15))])
        #expect(socket.state == .upgrading)
        #expect(socket.opened() == [.initialize])
        #expect(socket.state == .initializing)
        #expect(socket.acknowledged(timeout: .seconds(300), at: second) == [.watch(.seconds(300)), .ready])
        #expect(socket.state == .open(keepAliveUntil: .seconds(301)))
    }

    @Test func itIsLostWithoutFramesForTheTimeThatTheServiceNamed() {
        var socket = opened()
        _ = socket.acknowledged(timeout: .seconds(300), at: .zero)
        socket.heard(at: .seconds(100))
        #expect(socket.watched(at: .seconds(300)) == [.watch(.seconds(100))])
        #expect(socket.watched(at: .seconds(400)) == [.lost])
        #expect(socket.state == .closed)
        #expect(socket.watched(at: .seconds(500)) == [])
    }

    @Test func aTimeoutOfZeroDoesNotLoseIt() {
        var socket = opened()
        #expect(socket.acknowledged(timeout: .zero, at: .zero) == [.watch(.seconds(30)), .ready])
    }

    @Test func aHandshakeThatTakesTooLongLosesIt() {
        var upgrading = Socket()
        _ = upgrading.open(at: .zero, handshake: .seconds(15))
        #expect(upgrading.watched(at: .seconds(14)) == [.watch(second)])
        #expect(upgrading.watched(at: .seconds(15)) == [.lost])
        var initializing = opened()
        #expect(initializing.watched(at: .seconds(15)) == [.lost])
    }

    @Test func aFrameThatCannotBeReadIsNoKeepAlive() {
        let reader = SocketReader(models: [:], scopes: [:])
        for text in ["{", #"{"type":"data","id":"1"}"#] {
            guard case .unreadable(nil, _)? = reader.frame(Array(text.utf8)) else {
                Issue.record("it counts as another frame: \(text)")
                continue
            }
        }
    }

    @Test(arguments: [("Unauthorized", false), ("InternalFailure", true)])
    func anEventIsMarkedAsOne(errorType: String, hasErrors: Bool) throws {
        let schemas = ["Note": Note.schema, "Remark": Remark.schema]
        let reader = SocketReader(models: ["Note": try SyncedModel(Note.schema, among: schemas)], scopes: [:])
        let use = StartedSubscription.Use(model: "Note", operation: .onUpdate, mode: 0)
        reader.note(SubscriptionID(number: 1), StartedSubscription(use: use, headers: Device.headers("key")))
        let record = #"{"id":"n","title":"t","body":null,"rating":null,"_version":2,"_lastChangedAt":7}"#
        let errors = #"[{"errorType":"\#(errorType)","message":"m","path":["onUpdateNote","body"]}]"#
        let payload = #"{"data":{"onUpdateNote":\#(record)},"errors":\#(errors)}"#
        guard
            case .data(_, let change)? = reader.frame(Array(#"{"type":"data","id":"1","payload":\#(payload)}"#.utf8))
        else {
            Issue.record("it counts as another frame")
            return
        }
        #expect(change.content.records.map(\.isEvent) == [true])
        #expect(change.hasErrors == hasErrors)
    }

    /// The service does not say which subscription it did not start.
    @Test func aStartThatIsOneTooManyDoesNotEndTheSocket() {
        let reader = SocketReader(models: [:], scopes: [:])
        func frame(_ type: String) -> IncomingFrame<SyncContent>? {
            let payload = #"{"errors":{"errorType":"\#(type)","message":"m"}}"#
            return reader.frame(Array(#"{"type":"error","payload":\#(payload)}"#.utf8))
        }
        guard case .keepAlive? = frame("LimitExceededError") else {
            Issue.record("it ends the socket")
            return
        }
        guard case .connectionError? = frame("InternalFailure") else {
            Issue.record("it says nothing about the socket")
            return
        }
    }

    @Test func whatComesOutOfTurnChangesNothing() {
        var socket = Socket()
        #expect(socket.opened() == [])
        #expect(socket.acknowledged(timeout: second, at: .zero) == [])
        #expect(socket.lose() == [])
        _ = socket.open(at: .zero, handshake: second)
        #expect(socket.open(at: .zero, handshake: second) == [])
        #expect(socket.acknowledged(timeout: second, at: .zero) == [])
        #expect(socket.lose() == [.lost])
        #expect(socket.lose() == [])
    }
}
