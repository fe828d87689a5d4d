#if Server
import Hummingbird
import NIOCore

/// What a request comes with.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The event loop of the connection.
    let eventLoop: any EventLoop

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        eventLoop = source.channel.eventLoop
    }
}
#endif
