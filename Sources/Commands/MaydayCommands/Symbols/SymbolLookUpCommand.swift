import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import Identifiers
import JSON
import ServerCore
import Terminal

/// `mayday symbol-lookup`, which a server starts to look up offsets of an image.
struct SymbolLookUpCommand: Command {
  static let name = ServerChildren.symbolLookUp
  static let summary = "Look up offsets in stored debug files, for a server."
  static let isHidden = true

  @Argument("ID", help: "A debug id or a build id.") var id: String
  @Argument("OFFSET", help: "Offsets from the start of the image: 0x1f0.") var offsets: [String]
  @Option("--arch", help: "The architecture.", value: "ARCH") var architecture: String?
  @OptionGroup var home = HomeOptions()

  func run() throws {
    ServerChildLimits.apply()
    let store = try home.openForReading()
    let numbers = try offsets.map { text in
      guard text.hasPrefix("0x"), let value = UInt64(text.dropFirst(2), radix: 16) else {
        throw UsageError("'\(text)' is not an offset such as 0x1f0")
      }
      return ImageOffset(value)
    }
    let image = try StoredLookUp.image(of: id, architecture: architecture, in: store)
    var writer = JSONWriter()
    writer.write(try StoredLookUp.look(up: numbers, in: image, of: store))
    writer.newLine()
    try Console(colour: .never).write(writer.takeBytes())
  }
}
