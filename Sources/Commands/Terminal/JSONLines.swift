internal import JQ

/// Prints documents on a line each as they come, through a console's filter.
package struct JSONLines {
  /// Bytes that wait to be written together.
  private static let most = 1 << 16

  private let console: Console
  private let program: JQProgram?
  private var waiting: [UInt8] = []

  /// - Throws: ``JSONFilterError`` if the program of jq cannot be compiled.
  package init(to console: Console) throws(JSONFilterError) {
    self.console = console
    program = try console.jsonFilter?.compiledProgram()
  }

  /// Prints lines, each with its line feed.
  ///
  /// - Throws: As ``Console/write(_:)``; ``JSONFilterError`` if the filter cannot be applied.
  package mutating func write(_ lines: [UInt8]) throws {
    if let program {
      for line in lines.split(separator: UInt8(ascii: "\n")) {
        waiting += try JSONFilter.results(of: program, for: Array(line))
      }
    } else {
      waiting += lines
    }
    if waiting.count >= Self.most { try flush() }
  }

  /// Writes what waits.
  package mutating func flush() throws {
    guard !waiting.isEmpty else { return }
    defer { waiting.removeAll(keepingCapacity: true) }
    try console.write(waiting)
  }
}
