package import Bytes
internal import CrashService
package import ServerStore

/// Figures in the text format of Prometheus, version 0.0.4.
package struct MetricsText {
  package enum MetricType: String {
    case counter, gauge, histogram
  }

  private var text = ""

  package mutating func add(_ name: String, _ kind: MetricType, _ help: String, _ value: Int) {
    begin(name, kind, help)
    text += "\(name) \(value)\n"
  }

  /// Adds several figures of one name, distinguished by a label.
  package mutating func add(
    _ name: String, _ kind: MetricType, _ help: String, by label: String,
    _ values: KeyValuePairs<String, Int>
  ) {
    add(name, kind, help, by: label, values.map { ($0.key, $0.value) })
  }

  package mutating func add(
    _ name: String, _ kind: MetricType, _ help: String, by label: String, _ values: [(String, Int)]
  ) {
    begin(name, kind, help)
    for (part, value) in values { text += "\(name){\(label)=\"\(part)\"} \(value)\n" }
  }

  /// Adds times in seconds.
  package mutating func add(_ name: String, _ help: String, _ times: LatencyHistogram) {
    begin(name, .histogram, help)
    var count = 0
    for (bound, part) in zip(LatencyHistogram.bounds, times.counts) {
      count += part
      text += "\(name)_bucket{le=\"\(Self.seconds(bound))\"} \(count)\n"
    }
    text += "\(name)_bucket{le=\"+Inf\"} \(times.count)\n"
    text += "\(name)_sum \(Self.seconds(times.total))\n\(name)_count \(times.count)\n"
  }

  private mutating func begin(_ name: String, _ kind: MetricType, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private static func seconds(_ microseconds: Int) -> String {
    "\(Double(microseconds) / 1_000_000)"
  }

  package var bytes: ByteView { ByteView(text.utf8) }
}
