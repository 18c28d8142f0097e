internal import Arguments
package import JSON
package import Terminal

/// Output options of a command.
package struct OutputOptions {
  @OptionGroup var selection = JSONOptions()
  @Option("--color", help: "When to use colour; auto means on a terminal unless NO_COLOR is set.")
  package var colour = ColourChoice.auto

  package init() {}

  package var json: Bool { selection.isOn }
  /// Whether `--json` names the members to print.
  package var choosesMembers: Bool { selection.filter?.fields.isEmpty == false }
  package var console: Console { Console(colour: colour, jsonFilter: selection.filter) }
}

/// Output options of a command that prints a list.
package struct ListOptions {
  @OptionGroup var selection = JSONOptions()
  @Flag("--ndjson", help: "Print JSON, one object per line.") package var ndjson
  @Option("--color", help: "When to use colour; auto means on a terminal unless NO_COLOR is set.")
  package var colour = ColourChoice.auto

  package init() {}

  package var json: Bool { selection.isOn }
  package var console: Console { Console(colour: colour, jsonFilter: selection.filter) }

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
    try console.write(json: writer.takeBytes(), isLines: ndjson)
    return true
  }
}
