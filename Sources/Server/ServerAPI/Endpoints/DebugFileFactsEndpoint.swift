internal import ChildProcess
internal import CrashService
internal import CrashStore
internal import Files
package import HTTP
package import ServerCore
internal import Synchronization

/// `GET /api/v1/symbols/ID`: the debug files with an id, like `mayday symbols show --json`; `arch` selects
/// one architecture. A separate process reads the files, one at a time.
package struct DebugFileFactsEndpoint {
  package let context: ServerContext

  private static let isBusy = Atomic<Bool>(false)
  /// The time limit in nanoseconds, and the maximum number of bytes of output.
  private static let patience: Int64 = 150_000_000_000
  private static let limit = 4 << 20

  package func show(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    let architecture = request.query["arch"]
    return try .refusing {
      // Only known ids are read, and anything that isn't an id never becomes an argument.
      guard StoredDebugFiles.isID(id) else {
        return .problem(.notFound, "'\(id.prefix(80))' is not the id of a debug file")
      }
      _ = try StoredDebugFiles.records(of: id, architecture: architecture, in: context.store)
      guard !Self.isBusy.exchange(true, ordering: .acquiring) else {
        return .busy("another debug file is being read")
      }
      defer { Self.isBusy.store(false, ordering: .releasing) }
      guard let text = try read(id, architecture) else {
        return .problem(.unprocessableContent, "reading the debug file exceeded its limits")
      }
      return .json(text)
    }
  }

  /// - Returns: `nil` if the process did not finish.
  private func read(_ id: String, _ architecture: String?) throws -> [UInt8]? {
    var words = ["mayday", ServerChildren.symbolFacts, id, "--home", context.store.home]
    if let architecture { words += ["--arch=" + architecture] }
    let nothing = try OpenFile.opening("/dev/null")
    var child = try SandboxedChild(words, input: nothing.number, patience: Self.patience)
    return child.all(limit: Self.limit)
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
