import Bytes
import CommandSupport
import Glibc
import Updates

extension RemoteConfiguration {
  /// - Parameter path: `-` is standard input.
  /// - Throws: ``CommandFailure`` that names the file and the position in it.
  init(file path: String) throws {
    let limit = Limits.bytes + 1
    let bytes =
      path == "-"
      ? try ByteView(descriptor: STDIN_FILENO, name: "standard input", limit: limit)
      : try ByteView(reading: path, limit: Limits.bytes)
    do {
      try self.init(bytes.array)
    } catch {
      let name = path == "-" ? "standard input" : path
      throw CommandFailure("\(name.printable): \(error.description.printable)", .wrongUsage)
    }
  }
}
