import Identifiers
import ObjectFormats
import SymbolCache
import TestSupport
import Testing

/// Reading only some addresses gives the same results as the whole cache.
@Suite struct PlacesTests {
  @Test("Some addresses give the results of the whole cache", arguments: ExpectedLookUps.all)
  func sameAnswers(expected: ExpectedLookUps) throws {
    let object = try expected.object()
    let whole = try SymbolCache(opening: SymbolCache.compile(object))
    var random = SplitMix(seed: 9)
    for count in [1, 2, 20] {
      for _ in 0..<12 {
        let offsets = (0..<count).map { _ in Self.offset(in: object, &random) }
        var options = CacheOptions()
        options.offsets = offsets
        let part = try SymbolCache(opening: SymbolCache.compiling(object, options: options).bytes)
        for offset in offsets {
          #expect(Self.frames(at: offset, part) == Self.frames(at: offset, whole), "\(offset)")
        }
      }
    }
  }

  /// An address in the code, or just before or after it.
  static func offset(in object: ObjectFile, _ random: inout SplitMix) -> UInt32 {
    guard let range = object.executableRanges.randomElement(using: &random) else { return 0 }
    let low = range.lowerBound - min(range.lowerBound, 16)
    let address = UInt64.random(in: low...(range.upperBound + 16), using: &random)
    return UInt32(clamping: address - min(address, object.imageBase))
  }

  static func frames(at offset: UInt32, _ cache: SymbolCache) -> [SourceFrame] {
    var frames: [SourceFrame] = []
    cache.lookUp(ImageOffset(UInt64(offset)), into: &frames)
    return frames
  }
}
