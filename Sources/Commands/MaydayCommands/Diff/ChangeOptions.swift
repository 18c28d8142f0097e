import APIDocuments
import Arguments
import CommandSupport
import CrashService
import Documents
import JSON
import Rendering
import Terminal

/// How `mayday show` shows the changes of a report's reprocessing.
struct ChangeOptions {
  @Flag("--diff", help: "Show how debug files that arrived later changed the report.") var isOn
  @Option(
    "--change", help: "Which change --diff shows, counting from 1; by default the last.", value: "N"
  )
  var number: Int?

  /// - Parameter isOther: Whether another form of output was requested.
  func validate(isOther: Bool) throws(UsageError) {
    if number != nil && !isOn { throw UsageError("--change needs --diff") }
    if isOn && isOther { throw UsageError("--diff prints as text, or with --json") }
  }

  /// Prints the change of a report.
  func print(
    _ id: String, _ service: any CrashService, _ isFull: Bool, to output: OutputOptions
  ) throws {
    let console = output.console
    let versions = try service.versions(ofReport: id)
    guard let change = try ReportChange(number, of: versions, from: service) else {
      if output.json {
        var writer = JSONWriter(pretty: true)
        writer.beginObject()
        writer.member("report", versions.report)
        writer.member("changes", 0)
        writer.endObject()
        writer.newLine()
        try console.write(json: writer.takeBytes())
      } else {
        console.say("Report \(versions.report) has not changed since it arrived.")
      }
      return
    }
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(change)
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      let text = ReportChangeText(
        width: console.readableWidth, styles: console.styles, isFull: isFull)
      try console.write(lines: text.lines(for: change))
    }
  }
}
