import Bytes

/// Figures in the text format of Prometheus, version 0.0.4.
struct MetricsText {
  enum Kind: String {
    case counter, gauge
  }

  private var text = ""

  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n\(name) \(value)\n"
  }

  var bytes: ByteView { ByteView(text.utf8) }
}
