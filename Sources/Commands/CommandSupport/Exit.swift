internal import Arguments
internal import Bytes
internal import CrashService
internal import Pipeline
internal import Rendering
internal import Terminal

/// The only place that turns an error into a message and an exit status.
package enum Exit {
  /// Prints the error, if there is anything to print.
  package static func report(_ error: any Error) -> ExitCode {
    let (message, code) = describe(error)
    if let message { Console.say("mayday: " + message) }
    return code
  }

  /// The message, printable and without the program's name; `nil` if none is needed.
  package static func describe(_ error: any Error) -> (message: String?, code: ExitCode) {
    switch error {
    case is BrokenPipe: return (nil, .fine)
    case let error as AlreadyReported: return (nil, error.code)
    case let error as UsageError: return (describe(error), .wrongUsage)
    case let error as SettingsError: return (describe(error), .wrongUsage)
    case let error as JSONFilterError: return (error.message, .wrongUsage)
    case let error as CommandFailure: return (error.message, error.code)
    case let error as IngestError: return (describe(error), .failed)
    default:
      let (message, kind) = FailureText.describe(error)
      return (message, ExitCode(kind))
    }
  }

  private static func describe(_ error: IngestError) -> String {
    switch error {
    case .noReportToAttachTo: "there is no report to attach to; nothing was stored"
    case .severalReports(let path):
      "--attach needs a single report, but there is another in \(path.printable); nothing was stored"
    }
  }

  /// Each error on its own line.
  private static func describe(_ error: SettingsError) -> String {
    let (first, rest) = (error.problems.prefix(1), error.problems.dropFirst())
    return (first.map(\.printable) + rest.map { "mayday: " + $0.printable })
      .joined(separator: "\n")
  }

  private static func describe(_ error: UsageError) -> String {
    var text = error.message.printableLines.joined(separator: "\n")
    if let usage = error.usage { text += "\nUsage: \(usage)" }
    if let help = error.helpCommand { text += "\nMore: \(help)" }
    return text
  }
}
