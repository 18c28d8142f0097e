import Arguments
import Bytes
import CommandSupport
import CrashStore
import JSON
import Pipeline
import Rendering
import Terminal

/// `mayday symbols retry`
struct SymbolsRetryCommand: Command {
  static let name = "retry"
  static let summary = "Reprocess reports whose debug files have arrived."
  static let discussion = """
    `symbols add` and `ingest` do this on their own; the command finishes what they left when \
    interrupted, and retries reports that could not be read then. Exits with 6 if a report still \
    cannot be read.
    """
  static let examples = [
    Example("mayday symbols retry", "Finish an interrupted run.")
  ]

  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    let store = try home.openForReading()
    try store.reports.retryProblems()
    let done = try ReprocessingJob.run(in: store, console)
    let problems = try store.reports.reprocessingProblems()
    try write(done: done, problems: problems, console)
    console.say("\(GroupText.count(done, "report", "reports")) reprocessed")
    guard problems.isEmpty else {
      throw CommandFailure(
        "\(GroupText.count(problems.count, "report", "reports")) could not be reprocessed",
        .incomplete)
    }
  }

  private func write(
    done: Int, problems: [(report: String, reason: String)], _ console: Console
  ) throws {
    guard output.json else {
      return try console.write(
        lines: problems.flatMap { problem in
          [problem.report] + problem.reason.printable.lines(of: console.width - 2).map { "  " + $0 }
        })
    }
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.member("done", done)
    writer.key("problems")
    writer.beginArray()
    for problem in problems {
      writer.beginObject()
      writer.member("report", problem.report)
      writer.member("reason", problem.reason)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
