import Arguments
import CommandSupport
import CrashStore
import JSON
import Terminal

/// `mayday symbols sharing`
struct SymbolsSharingCommand: Command {
  static let name = "sharing"
  static let summary = "Show or set whether apps share their debug files."
  static let discussion = """
    With `shared`, the default, every debug file symbolicates the reports of every app: anyone who \
    can send reports for one app can learn functions and lines of another by naming its builds. \
    With `per-app`, a debug file serves only the app it was added for, or every app if it was \
    added by a token for all apps or by `symbols add` without --app. Stored reports do not change.
    """
  static let examples = [
    Example("mayday symbols sharing", "Show the setting."),
    Example("mayday symbols sharing per-app", "From now on, each app has its own debug files."),
  ]

  @Argument("MODE", help: "shared or per-app.", isRequired: false) var modes: [String]
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
      try store.debugFiles.setSharing(mode)
    }
    let mode = try store.debugFiles.sharing()
    guard output.json else { return try console.write(mode.rawValue + "\n") }
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.member("debug_files", mode.rawValue)
    writer.endObject()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
