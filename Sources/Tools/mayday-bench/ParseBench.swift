import Bytes
import ReportFormats

/// Measures how fast reports are parsed.
enum ParseBench {
  /// Reads the files of `paths` repeatedly for a second and prints MB per second.
  static func run(paths: [String]) throws {
    let files = try paths.map { try ByteView(reading: $0, limit: 1 << 30) }
    let total = files.reduce(0) { $0 + $1.count }
    var bytes = 0
    let clock = ContinuousClock()
    let start = clock.now
    var elapsed = Duration.zero
    repeat {
      for file in files { _ = try FormatRegistry.builtIn.reports(in: file) }
      bytes += total
      elapsed = start.duration(to: clock.now)
    } while elapsed < .seconds(1)
    print(Double(bytes) / 1e6 / (elapsed / .seconds(1)))
  }
}
