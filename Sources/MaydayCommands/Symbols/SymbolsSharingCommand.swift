import Arguments
import CrashStore
import JSON

/// `mayday symbols sharing`
struct SymbolsSharingCommand: Command {
  static let name = "sharing"
  static let summary = "Show or set whether apps share their debug files."
  static let discussion = """
    With `shared`, which a home begins with, every debug file explains the reports of every app: who may \
    hand in reports of one app can learn functions and lines of another one's by naming its builds. With \
    `per-app`, an app's reports are explained by files that were handed in for it, or for all apps: by \
    a token for all, or by `symbols add` without --app. Reports that are stored stay as they are.
    """
  static let examples = [
    Example("mayday symbols sharing", "What is set."),
    Example("mayday symbols sharing per-app", "Each app has its own debug files from now on."),
  ]

  @Argument("MODE", help: "shared, or per-app.", isRequired: false) var modes: [String]
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    guard modes.count <= 1 else { throw UsageError("one MODE is enough") }
    if let mode = modes.first, CrashStore.Sharing(rawValue: mode) == nil {
      throw UsageError("MODE is shared or per-app, not '\(mode)'")
    }
  }

  func run() throws {
    let console = output.console
    let store = try home.openForReading()
    if let mode = modes.first.flatMap(CrashStore.Sharing.init(rawValue:)) {
      try store.setDebugFileSharing(mode)
    }
    let mode = try store.debugFileSharing()
    guard output.json else { return try console.write(mode.rawValue + "\n") }
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.member("debug_files", mode.rawValue)
    writer.endObject()
    writer.newLine()
    try console.write(writer.takeBytes())
  }
}
