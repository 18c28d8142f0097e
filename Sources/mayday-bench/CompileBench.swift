internal import Bytes
import Glibc
internal import ObjectFormats
internal import SymbolCache

/// A debug file to a symbol cache.
enum CompileBench {
  static func run(file: String, output: String, rounds: Int?) throws {
    let bytes = try ByteView(mapping: file)
    guard let object = try ObjectFile.objects(in: bytes).first else { return }
    var times: [Double] = []
    var compiled: CompiledCache?
    for _ in 0..<(rounds ?? 1) {
      let start = Measure.processorTime
      compiled = try SymbolCache.compiling(object)
      times.append(Measure.processorTime - start)
    }
    guard let compiled else { return }
    for note in compiled.notes { print("note \(note)") }
    times.sort()
    print("cpu_seconds \(times[times.count / 2])")
    print("peak_bytes \(Measure.peakMemory)")
    print("cache_bytes \(compiled.bytes.count)")
    guard let stream = unsafe fopen(output, "w") else { return }
    unsafe compiled.bytes.withUnsafeBytes { buffer in
      _ = unsafe fwrite(buffer.baseAddress, 1, buffer.count, stream)
    }
    unsafe fclose(stream)
  }
}
