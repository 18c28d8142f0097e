internal import Bytes
internal import JSON
internal import ReferenceReader
internal import Rendering
internal import Terminal

/// Result of comparing two readers of a debug file, as text or JSON.
struct CrossCheckText {
  let path: String
  let report: CrossCheckReport
  /// The most differences to print.
  let limit: Int

  func print(_ console: Console, json: Bool) throws {
    guard !json else {
      var writer = JSONWriter(pretty: true)
      write(to: &writer)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    try console.write(lines: lines)
  }

  private var lines: [String] {
    var lines = ["\(path.printable) (\(report.architecture.printable))"]
    func fact(_ name: String, _ text: String) {
      lines.append("  " + name.padded(to: 13) + text)
    }
    fact("compared", report.covered.joined(separator: ", "))
    for text in report.notCovered { fact("not covered", text.printable) }
    fact(
      "second",
      "\(report.units) units, \(report.functions) functions, \(report.inlinedCalls)"
        + " inlined calls, \(report.rows) rows, \(report.symbols) symbols")
    if report.compared > 0 { fact("ranges", "\(report.compared) of code compared") }
    if report.spelledOtherwise > 0 {
      fact("paths", "\(report.spelledOtherwise) joined in another way, of files of the same name")
    }
    for problem in report.problems.prefix(4) { fact("unread", problem.printable) }
    if report.problemCount > 4 { fact("", "\(report.problemCount) in all") }
    fact("differences", "\(report.differenceCount)")
    for difference in report.differences.prefix(limit) {
      lines.append("")
      lines += describe(difference)
    }
    let rest = report.differenceCount - min(report.differences.count, limit)
    if rest > 0 { lines += ["", "\(rest) more; --limit shows them, --json has them"] }
    return lines
  }

  private func describe(_ difference: ReferenceDifference) -> [String] {
    var head = difference.kind.rawValue
    if difference.kind != .container || !difference.addresses.isEmpty {
      head += " " + difference.addresses.lowerBound.hexadecimal
      head += "-" + difference.addresses.upperBound.hexadecimal
    }
    return [
      head + ": " + difference.verdict.words,
      "  mayday  " + difference.mayday.printable, "  second  " + difference.second.printable,
    ]
  }

  private func write(to writer: inout JSONWriter) {
    func strings(_ key: String, _ values: [String]) {
      writer.key(key)
      writer.beginArray()
      for value in values { writer.string(value) }
      writer.endArray()
    }
    func number(_ key: String, _ value: Int) {
      writer.key(key)
      writer.integer(value)
    }
    writer.beginObject()
    writer.key("file")
    writer.string(path)
    writer.key("arch")
    writer.string(report.architecture)
    writer.key("agrees")
    writer.bool(report.unexplained == 0)
    strings("covered", report.covered)
    strings("not_covered", report.notCovered)
    number("units", report.units)
    number("functions", report.functions)
    number("inlined_calls", report.inlinedCalls)
    number("rows", report.rows)
    number("symbols", report.symbols)
    number("compared", report.compared)
    number("paths_joined_otherwise", report.spelledOtherwise)
    strings("problems", report.problems)
    number("problem_count", report.problemCount)
    number("difference_count", report.differenceCount)
    number("unexplained", report.unexplained)
    writer.key("differences")
    writer.beginArray()
    for difference in report.differences {
      writer.beginObject()
      writer.key("kind")
      writer.string(difference.kind.rawValue)
      writer.key("verdict")
      writer.string(difference.verdict.rawValue)
      writer.key("start")
      writer.string(difference.addresses.lowerBound.hexadecimal)
      writer.key("end")
      writer.string(difference.addresses.upperBound.hexadecimal)
      writer.key("mayday")
      writer.string(difference.mayday)
      writer.key("second")
      writer.string(difference.second)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}
