import RowhouseModel
import Testing

struct ThumbnailSizeTests {
    // Widths and heights of images and their thumbnails as they were seen in answers of Airtable.
    @Test(arguments: [
        (ThumbnailSize.large, 2000, 1800, 569, 512), (.large, 832, 605, 704, 512), (.large, 300, 300, 300, 300),
        (.full, 3694, 2916, 3000, 2368), (.full, 3000, 3000, 3000, 3000), (.full, 10, 10, 10, 10),
        (.small, 100, 100, 36, 36), (.small, 3000, 1, 3000, 1), (.small, 1, 3000, 1, 36), (.small, 72, 36, 72, 36),
        // Long images: no side is longer than 3,000.
        (.large, 20_000, 400, 3000, 60), (.full, 20_000, 400, 3000, 60), (.large, 300, 17_000, 53, 3000),
        (.large, 9000, 600, 3000, 200), (.small, 30_000, 36, 3000, 4), (.small, 30_000, 1, 3000, 1),
        (.large, 1, 30_000, 1, 3000), (.large, 3000, 512, 3000, 512), (.large, 3000, 513, 2994, 512),
    ])
    func `Renderings have the dimensions seen`(
        size: ThumbnailSize, width: Int, height: Int, expectedWidth: Int, expectedHeight: Int
    ) {
        let dimensions = ImageDimensions(width: width, height: height).of(size)
        #expect(dimensions == ImageDimensions(width: expectedWidth, height: expectedHeight))
    }

    @Test func `No rendering is larger than the next, whatever the image`() {
        for width in [1, 35, 36, 37, 511, 512, 513, 2999, 3000, 3001, 16_384, 30_000] {
            for height in [1, 35, 36, 37, 511, 512, 513, 2999, 3000, 3001, 16_384, 30_000] {
                let image = ImageDimensions(width: width, height: height)
                let sides = [image.of(.small), image.of(.large), image.of(.full), image].map { ($0.width, $0.height) }
                for (one, next) in zip(sides, sides.dropFirst()) {
                    #expect(one.0 <= next.0 && one.1 <= next.1, "\(width)x\(height)")
                    #expect((1...3000).contains(one.0) && (1...3000).contains(one.1), "\(width)x\(height)")
                }
            }
        }
    }

    @Test func `A hash is 64 lower-case hexadecimal digits`() {
        let bytes = (0..<32).map { UInt8($0 * 8) }
        #expect(
            FileHash(bytes: bytes)?.description
                == "0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8")
        #expect(FileHash(bytes: [1]) == nil)
        #expect(FileHash(String(repeating: "a", count: 64)) != nil)
        let digits = String(repeating: "a", count: 61)
        for text in ["", "AAA" + digits, "aaaa" + digits, "../" + digits] { #expect(FileHash(text) == nil) }
    }
}
