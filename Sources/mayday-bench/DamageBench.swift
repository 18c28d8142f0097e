internal import Bytes
internal import ObjectFormats
internal import SymbolCache

/// Compiles damaged copies of a debug file, and says which took longest: a look for traps and for
/// work without end on real input.
enum DamageBench {
  static func run(file: String, count: Int, seed: UInt64) throws {
    let original = try ByteView(mapping: file).array
    let places = try damagePlaces(ByteView(original))
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(bound, 1)
    }
    var slowest = 0.0
    var compiledCount = 0
    for round in 0..<count {
      var copy = original
      let first = state
      for _ in 0..<(1 + random(6)) {
        let range = places[random(places.count)]
        let place = range.lowerBound + random(range.count)
        switch random(4) {
        case 0: copy[place] = 0xff
        case 1: for index in place..<min(place + 4, range.upperBound) { copy[index] = 0xff }
        case 2: copy[place] = copy[place] &+ 1
        default: copy[place] = UInt8(random(256))
        }
      }
      let start = Measure.processorTime
      for object in (try? ObjectFile.objects(in: ByteView(copy))) ?? [] {
        guard let compiled = try? SymbolCache.compiling(object) else { continue }
        compiledCount += 1
        let cache = try SymbolCache(opening: compiled.bytes)
        var frames = Table<CacheFrame>()
        for _ in 0..<1_000 { cache.lookUp(UInt32(random(1 << 24)), into: &frames) }
      }
      let time = Measure.processorTime - start
      if time > slowest {
        slowest = time
        print("slowest \(time) round \(round) state \(first)")
      }
    }
    print("rounds \(count)")
    print("compiled \(compiledCount)")
    print("peak_bytes \(Measure.peakMemory)")
  }

  /// The debug sections, where damage reaches the readers of DWARF, and once all of the file.
  private static func damagePlaces(_ bytes: ByteView) throws -> [Range<Int>] {
    var places = [0..<bytes.count]
    guard let object = try ObjectFile.objects(in: bytes).first else { return places }
    for section in object.sections where section.name.contains("debug_") && section.fileSize > 0 {
      let start = Int(clamping: section.fileOffset)
      let end = min(start + Int(clamping: section.fileSize), bytes.count)
      if start < end { places += [start..<end, start..<end] }
    }
    return places
  }
}
