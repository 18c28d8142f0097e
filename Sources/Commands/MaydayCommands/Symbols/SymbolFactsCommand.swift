import Arguments
import CommandSupport
import CrashService
import CrashStore
import Glibc
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

  /// Limits of memory, in bytes, and of processor time.
  private static let bytes: rlim_t = 8 << 30
  private static let seconds: rlim_t = 120

  func run() throws {
    var memory = rlimit(rlim_cur: Self.bytes, rlim_max: Self.bytes)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    var time = rlimit(rlim_cur: Self.seconds, rlim_max: Self.seconds)
    setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time)
    _ = nice(10)
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
