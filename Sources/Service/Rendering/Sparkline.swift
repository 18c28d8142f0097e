internal import CrashService

/// A row of bars for counts, one column each.
package enum Sparkline {
  private static let bars = ["▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Returns the bars. Zero is a line on the ground; the smallest count above zero differs from it.
  package static func line(_ counts: [Int], styles: Styles) -> String {
    let most = counts.max() ?? 0
    var text = ""
    // Sequences of one style are written together.
    var run = ""
    var isRunEmpty = true
    func flush() {
      text += isRunEmpty ? styles.dim(run) : styles.chart(run)
      run = ""
    }
    for count in counts {
      let isEmpty = count <= 0
      if isEmpty != isRunEmpty { flush() }
      isRunEmpty = isEmpty
      let level = isEmpty ? 0 : Int(Double(count) / Double(most) * Double(bars.count - 1) + 0.5)
      run += isEmpty ? "▁" : bars[min(level, bars.count - 1)]
    }
    flush()
    return text
  }
}
