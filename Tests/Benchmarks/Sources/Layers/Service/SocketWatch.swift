#if canImport(Glibc)
import CEpoll
import Glibc
#elseif canImport(Musl)
import CEpoll
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Many sockets, of which some have something to read.
///
/// On Linux the system keeps the list: looking through a thousand sockets for each that is ready would take as long
/// as what is measured.
final class SocketWatch {
    private let descriptors: [Int32]
    private var isIgnored: [Bool]
    #if canImport(Darwin)
    private var pollDescriptors: [pollfd]
    #else
    private let list = epoll_create1(0)
    private var events: [epoll_event]
    /// Ignored sockets that have something to read, and that the list is without.
    private var removed: [Int] = []
    #endif

    /// Watches sockets.
    ///
    /// - Parameter sockets: They must live as long as this.
    /// - Throws: ``RawError`` if the system cannot watch more sockets.
    init(_ sockets: [LoopbackSocket]) throws {
        descriptors = sockets.map(\.descriptor)
        isIgnored = descriptors.map { _ in false }
        #if canImport(Darwin)
        pollDescriptors = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        #else
        events = descriptors.map { _ in epoll_event() }
        for index in descriptors.indices { try add(index) }
        #endif
    }

    #if !canImport(Darwin)
    deinit { close(list) }

    private func add(_ index: Int) throws {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
        guard epoll_ctl(list, EPOLL_CTL_ADD, descriptors[index], &event) == 0 else {
            throw RawError(description: "a socket cannot be watched: error \(errno)")
        }
    }
    #endif

    /// Looks at all sockets again.
    func watchAll() throws {
        for index in isIgnored.indices { isIgnored[index] = false }
        #if !canImport(Darwin)
        for index in removed { try add(index) }
        removed = []
        #endif
    }

    /// Looks at a socket no longer.
    func ignore(_ index: Int) { isIgnored[index] = true }

    /// Waits until some sockets have something to read.
    ///
    /// - Returns: The positions of those that have.
    /// - Throws: ``RawError`` if nothing comes for a minute.
    func ready() throws -> [Int] {
        #if canImport(Darwin)
        for index in pollDescriptors.indices { pollDescriptors[index].fd = isIgnored[index] ? -1 : descriptors[index] }
        guard poll(&pollDescriptors, nfds_t(pollDescriptors.count), 60_000) > 0 else {
            throw RawError(description: "nothing came for a minute")
        }
        return pollDescriptors.indices.filter { pollDescriptors[$0].fd >= 0 && pollDescriptors[$0].revents != 0 }
        #else
        let count = epoll_wait(list, &events, Int32(events.count), 60_000)
        guard count > 0 else { throw RawError(description: "nothing came for a minute") }
        return events[..<Int(count)].compactMap { event in
            let index = Int(event.data.u64)
            guard isIgnored[index] else { return index }
            epoll_ctl(list, EPOLL_CTL_DEL, descriptors[index], nil)
            removed.append(index)
            return nil
        }
        #endif
    }
}
