internal import Bytes
internal import Glibc
package import Rendering

/// The destinations of data and messages: standard output and standard error.
package struct Console: Sendable {
  /// The styles of data on standard output.
  package let styles: Styles
  /// The styles of messages on standard error.
  package let messageStyles: Styles
  /// The columns that tables may take.
  package let width: Int
  /// The columns that stacks and prose take: long lines on a very wide terminal are hard to follow.
  package var readableWidth: Int { min(width, 110) }
  package let isOutputTerminal: Bool
  package let isErrorTerminal: Bool
  /// Applied to JSON before it is printed; `nil` where it is printed whole.
  package let jsonFilter: JSONFilter?

  package init(colour: ColourChoice, jsonFilter: JSONFilter? = nil) {
    self.jsonFilter = jsonFilter
    isOutputTerminal =
      isatty(STDOUT_FILENO) == 1 || Pager.terminalWidth != nil
    isErrorTerminal = isatty(STDERR_FILENO) == 1
    styles = Styles(isOn: colour.isOn(terminal: isOutputTerminal))
    messageStyles = Styles(isOn: colour.isOn(terminal: isErrorTerminal))
    width = Self.terminalWidth
  }

  /// Writes data to standard output.
  ///
  /// - Throws: ``BrokenPipe`` when the reader has closed the pipe, ``FileError`` when writing fails.
  package func write(_ bytes: [UInt8]) throws {
    guard !OutputFile.send(bytes, to: STDOUT_FILENO) else { return }
    if errno == EPIPE { throw BrokenPipe() }
    throw FileError("write", path: "standard output")
  }

  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes JSON to standard output: one document, or one on each line.
  ///
  /// - Throws: As ``write(_:)``; ``JSONFilterError`` if the filter cannot be applied to it.
  package func write(json bytes: [UInt8], isLines: Bool = false) throws {
    guard let jsonFilter else { return try write(bytes) }
    try write(isLines ? jsonFilter.lines(bytes) : jsonFilter.document(bytes))
  }

  /// Writes lines of data to standard output.
  package func write(lines: [String]) throws {
    guard !lines.isEmpty else { return }
    try write(lines.joined(separator: "\n") + "\n")
  }

  /// Prints a message for the user; it is not data.
  package func say(_ text: String) { Self.say(text) }

  /// Prints a warning that the user should not miss.
  package func warn(_ text: String) { Self.say(messageStyles.warning("warning: ") + text) }

  package static func say(_ text: String) {
    _ = OutputFile.send(Array((text + "\n").utf8), to: STDERR_FILENO)
  }

  /// The terminal's own width where there is one, or `$COLUMNS`. Default: 80; never below 40.
  package static var terminalWidth: Int {
    if let width = Pager.terminalWidth { return width }
    var size = winsize()
    if isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    {
      return max(40, Int(size.ws_col))
    }
    if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns > 0 {
      return max(40, min(columns, 1000))
    }
    return 80
  }
}

/// The reader of standard output has closed it, as in `mayday groups | head`: not a failure, but the end.
package struct BrokenPipe: Error {
  package init() {}
}
