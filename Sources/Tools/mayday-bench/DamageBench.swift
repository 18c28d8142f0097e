internal import Bytes
internal import ObjectFormats
internal import SymbolCache
internal import TestSupport

/// Compiles damaged copies of a debug file, and prints which took longest: a search for traps and endless
/// work on real input.
enum DamageBench {
  static func run(file: String, count: Int, seed: UInt64) throws {
    let original = try ByteView(mapping: file).array
    let ranges = try damageRanges(ByteView(original))
    var slowest = 0.0
    var compiledCount = 0
    for round in 0..<count {
      // Each round has a seed of its own, so that one can be run again alone.
      let roundSeed = seed &+ UInt64(round)
      var mutator = Mutator(seed: roundSeed, .binary, changes: 1...1)
      var copy = original
      for _ in 0..<(1 + mutator.random.below(6)) {
        copy = mutator.mutated(copy, in: mutator.random.pick(ranges))
      }
      let start = Measure.processorTime
      for object in (try? ObjectFile.objects(in: ByteView(copy))) ?? [] {
        guard let compiled = try? SymbolCache.compiling(object) else { continue }
        compiledCount += 1
        let cache = try SymbolCache(opening: compiled.bytes)
        var frames = Table<CacheFrame>()
        for _ in 0..<1_000 {
          cache.lookUp(UInt32(mutator.random.below(1 << 24)), into: &frames)
        }
      }
      let time = Measure.processorTime - start
      if time > slowest {
        slowest = time
        print("slowest \(time) round \(round) seed \(roundSeed)")
      }
    }
    print("rounds \(count)")
    print("compiled \(compiledCount)")
    print("peak_bytes \(Measure.peakMemory)")
  }

  /// Returns the debug sections, where damage reaches the readers of DWARF, and once the whole file.
  private static func damageRanges(_ bytes: ByteView) throws -> [Range<Int>] {
    var ranges = [0..<bytes.count]
    guard let object = try ObjectFile.objects(in: bytes).first else { return ranges }
    for section in object.sections where section.name.contains("debug_") && section.fileSize > 0 {
      let start = Int(clamping: section.fileOffset)
      let end = min(start + Int(clamping: section.fileSize), bytes.count)
      if start < end { ranges += [start..<end, start..<end] }
    }
    return ranges
  }
}
