internal import Bytes
import Glibc
internal import Identifiers
internal import ObjectFormats
internal import SymbolCache

/// Compiles a debug file to a symbol cache.
enum CompileBench {
  static func run(
    file: String, output: String, rounds: Int?, architecture: String?, keepsColumns: Bool
  ) throws {
    let bytes = try ByteView(mapping: file)
    let objects = try ObjectFile.objects(in: bytes)
    guard
      let object = objects.first(where: {
        architecture == nil || architecture == "-" || $0.architecture.description == architecture
      })
    else { return }
    var times: [Double] = []
    var options = CacheOptions()
    options.keepsColumns = keepsColumns
    var compiled: CompiledCache?
    for _ in 0..<(rounds ?? 1) {
      let start = Measure.processorTime
      compiled = try SymbolCache.compiling(object, options: options)
      times.append(Measure.processorTime - start)
    }
    guard let compiled else { return }
    for note in compiled.notes { print("note \(note)") }
    times.sort()
    print("cpu_seconds \(times[times.count / 2])")
    print("peak_bytes \(Measure.peakMemory)")
    print("cache_bytes \(compiled.size)")
    guard let stream = unsafe fopen(output, "w") else { return }
    unsafe compiled.bytes.withUnsafeBytes { buffer in
      _ = unsafe fwrite(buffer.baseAddress, 1, buffer.count, stream)
    }
    unsafe fclose(stream)
  }
}
