internal import Arguments
internal import Glibc

/// When text is coloured.
package enum ColourChoice: String, CaseIterable, ArgumentValue {
  case auto, always, never

  /// - Parameter terminal: Whether the text goes to a terminal.
  ///
  /// Sources: no-color.org: any value of `NO_COLOR` but the empty one turns colours off, unless the
  /// user asks for them by an option. bixense.com/clicolors: `CLICOLOR_FORCE` turns them on where
  /// there is no terminal.
  package func isOn(terminal: Bool) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      if !(Self.variable("NO_COLOR") ?? "").isEmpty {
        false
      } else if !["", "0"].contains(Self.variable("CLICOLOR_FORCE") ?? "") {
        true
      } else {
        terminal && Self.variable("TERM") != "dumb"
      }
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
