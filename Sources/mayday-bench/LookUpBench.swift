internal import Bytes
internal import SymbolCache

/// Random look-ups in a symbol cache, twice the same ones.
enum LookUpBench {
  static func run(cache path: String, count: Int) throws {
    let start = Measure.wallTime
    let cache = try SymbolCache(opening: ByteView(mapping: path))
    print("open_seconds \(Measure.wallTime - start)")
    // Offsets that have an answer, from a fixed seed.
    var frames = Table<CacheFrame>()
    var offsets: [UInt32] = []
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    var largest: UInt32 = 1
    for bit in stride(from: UInt32(31), through: 4, by: -1) {
      let candidate = UInt32(1) << bit
      for step in 0..<64 {
        cache.lookUp(candidate &+ candidate / 64 &* UInt32(step), into: &frames)
        if !frames.isEmpty { largest = max(largest, candidate) }
      }
      if largest > 1 { break }
    }
    var tries = 0
    while offsets.count < count, tries < count * 1_000 {
      tries += 1
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let offset = UInt32(truncatingIfNeeded: state >> 33) % max(largest &* 2, 2)
      cache.lookUp(offset, into: &frames)
      if !frames.isEmpty { offsets.append(offset) }
    }
    for pass in 1...3 {
      var total = 0
      let start = Measure.processorTime
      for offset in offsets {
        cache.lookUp(offset, into: &frames)
        total += frames.count
      }
      let time = max(Measure.processorTime - start, 1e-6)
      print("pass\(pass)_lookups_per_second \(Int(Double(offsets.count) / time))")
      print("frames_per_lookup \(Double(total) / Double(max(offsets.count, 1)))")
    }
  }
}
