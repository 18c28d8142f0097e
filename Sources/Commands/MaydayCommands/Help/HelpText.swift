import Terminal
import Rendering

/// Help text as printed, with its headings highlighted on a terminal.
enum HelpText {
  static func write(_ text: String) throws {
    let console = Console(colour: .auto)
    try console.write(styled(text, console.styles))
  }

  static func styled(_ text: String, _ styles: Styles) -> String {
    guard styles.isOn else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isHeading = line.hasSuffix(":") && line.first?.isUppercase == true
      if isHeading { return styles.strong(String(line)) }
      guard line.hasPrefix("Usage: ") else { return String(line) }
      return styles.strong("Usage:") + line.dropFirst("Usage:".count)
    }.joined(separator: "\n")
  }
}
