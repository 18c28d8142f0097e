internal import Bytes
internal import SymbolCache

/// Look-ups in a symbol cache, the same ones three times.
enum LookUpBench {
  /// - Parameter offsets: A file of hexadecimal offsets from the image base, one per line.
  static func run(cache path: String, offsets file: String) throws {
    let start = Measure.wallTime
    let cache = try SymbolCache(opening: ByteView(mapping: path))
    print("open_seconds \(Measure.wallTime - start)")
    let offsets = try ByteView(mapping: file).text.split(separator: "\n").compactMap {
      UInt32($0, radix: 16)
    }
    var frames = Table<CacheFrame>()
    for pass in 1...3 {
      var total = 0
      let start = Measure.processorTime
      for offset in offsets {
        cache.lookUp(offset, into: &frames)
        total += frames.count
      }
      let time = max(Measure.processorTime - start, 1e-6)
      print("pass\(pass)_lookups_per_second \(Int(Double(offsets.count) / time))")
      if pass == 1 {
        print("frames_per_lookup \(Double(total) / Double(max(offsets.count, 1)))")
      }
    }
  }
}
