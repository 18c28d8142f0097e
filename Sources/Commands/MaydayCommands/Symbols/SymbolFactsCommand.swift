import Arguments
import CommandSupport
import CrashService
import CrashStore
import JSON
import ServerCore
import Terminal

/// `mayday symbol-facts`, which a server starts to describe a debug file. Reading a whole file may
/// take memory and time, which are limited for this process.
struct SymbolFactsCommand: Command {
  static let name = ServerChildren.symbolFacts
  static let summary = "Describe stored debug files, for a server."
  static let isHidden = true

  @Argument("ID", help: "A debug id or a build id.") var id: String
  @Option("--arch", help: "The architecture; by default all.", value: "ARCH") var architecture:
    String?
  @OptionGroup var home = HomeOptions()

  func run() throws {
    ServerChildLimits.apply()
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    let store = try home.openForReading()
    for document in try StoredDebugFiles.documents(of: id, architecture: architecture, in: store) {
      writer.value(document)
    }
    writer.endArray()
    writer.newLine()
    try Console(colour: .never).write(writer.takeBytes())
  }
}
