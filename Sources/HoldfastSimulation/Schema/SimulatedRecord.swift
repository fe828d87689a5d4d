import HoldfastModel
import HoldfastStorage

/// A record of a model that is known only at run time: its cells, in the order of the model's columns.
protocol SimulatedRecord: Model {
    var cells: [Value] { get set }
    init(cells: [Value])
}
