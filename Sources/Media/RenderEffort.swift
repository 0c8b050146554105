import Platform
import RowhouseModel

/// What rendering a file may take, by what its head says and by its length: a file that takes more lies.
struct RenderEffort: Sendable, Equatable {
    /// Of a processor, far more than honest files take on a slow one.
    let seconds: Int
    let isHeavy: Bool

    /// Of addresses, in bytes. Images of 120 megapixels are decoded in 1.4 GB of them.
    var memory: UInt { isHeavy ? 2 << 30 : 1 << 30 }

    init(_ head: ImageHead, bytes: Int) {
        let pixels = Double(head.width) * Double(head.height) / 1_000_000
        let perPixel = head.format.isSlow ? 1 : head.format == .jpeg ? 0.2 : 0.5
        let seconds = 4 + pixels * perPixel + Double(bytes) / 4_000_000
        self.seconds = Int(min(60, seconds))
        isHeavy = pixels > 24 || seconds > 12
    }
}
