/// How stored pixels are to be turned to be seen, by the numbers of EXIF (tag 274).
package enum ImageOrientation: Int, Sendable, CaseIterable {
    case upright = 1
    case mirrored, upsideDown, mirroredUpsideDown
    case transposed, quarterRight, transverse, quarterLeft

    /// Whether width and height trade places.
    package var swapsSides: Bool { rawValue >= 5 }
}
