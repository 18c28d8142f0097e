internal import Arguments
package import JSON
package import Terminal

/// Output options of a command.
package struct OutputOptions {
  @Flag("--json", help: "Print JSON.") package var json
  @Option("--color", help: "When to use colour; auto means on a terminal unless NO_COLOR is set.")
  package var colour = ColourChoice.auto

  package init() {}

  package var console: Console { Console(colour: colour) }
}

/// Output options of a command that prints a list.
package struct ListOptions {
  @Flag("--json", help: "Print one JSON array.") package var json
  @Flag("--ndjson", help: "Print JSON, one object per line.") package var ndjson
  @Option("--color", help: "When to use colour; auto means on a terminal unless NO_COLOR is set.")
  package var colour = ColourChoice.auto

  package init() {}

  package var console: Console { Console(colour: colour) }

  /// Prints `elements` as JSON if requested.
  ///
  /// - Returns: Whether JSON was requested.
  package func printedJSON<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void
  ) throws -> Bool {
    guard json || ndjson else { return false }
    var writer = JSONWriter(pretty: !ndjson)
    if !ndjson { writer.beginArray() }
    for element in elements {
      try write(&writer, element)
      if ndjson { writer.newLine() }
    }
    if !ndjson {
      writer.endArray()
      writer.newLine()
    }
    try console.write(writer.takeBytes())
    return true
  }
}
