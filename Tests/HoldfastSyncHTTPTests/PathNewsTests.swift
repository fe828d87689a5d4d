#if Sync
import Testing

@testable import HoldfastSyncHTTP

@Suite struct PathNewsTests {
    @Test func anotherInterfaceIsAGap() {
        var news = PathNews()
        #expect(news.take(isUp: true, interface: "en0") == [true])
        // Another address, for instance.
        #expect(news.take(isUp: true, interface: "en0") == [])
        #expect(news.take(isUp: true, interface: "pdp_ip0") == [false, true])
        #expect(news.take(isUp: false, interface: "pdp_ip0") == [false])
        #expect(news.take(isUp: false, interface: nil) == [])
        #expect(news.take(isUp: true, interface: "en0") == [true])
    }

    @Test func anInterfaceThatIsNotKnownIsNotAnotherOne() {
        var news = PathNews()
        #expect(news.take(isUp: true, interface: nil) == [true])
        #expect(news.take(isUp: true, interface: "en0") == [])
        #expect(news.take(isUp: true, interface: nil) == [])
    }

    @Test func theFirstPathIsAlwaysReported() {
        var news = PathNews()
        #expect(news.take(isUp: false, interface: nil) == [false])
    }
}
#endif
