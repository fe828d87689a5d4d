/// A site that can lose power: everything that the back end did not sync is gone.
public protocol PowerLossSite: StoreSite {
    /// Cuts the power, while handles are open or not.
    ///
    /// Handles from before fail from then on; ``StoreSite/makeAdapter()`` gives handles on what survived.
    func losePower() async
}
