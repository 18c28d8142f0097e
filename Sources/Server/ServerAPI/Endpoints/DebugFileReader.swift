internal import ChildProcess
internal import CrashService
internal import CrashStore
internal import Files
internal import ServerCore
internal import Synchronization

/// Reads stored debug files in a separate process, one at a time, with limits on time and output.
struct DebugFileReader {
  let context: ServerContext

  private static let isBusy = Atomic<Bool>(false)
  /// The time limit in nanoseconds, and the maximum number of bytes of output.
  private static let patience: Int64 = 150_000_000_000
  private static let limit = 4 << 20

  /// Why there is no output.
  enum Refusal: Error {
    case busy, exceedsLimits

    var text: String {
      switch self {
      case .busy: "another debug file is being read"
      case .exceedsLimits: "reading the debug file exceeded its limits"
      }
    }
  }

  /// Returns what a command of the program prints about the debug files with an id.
  ///
  /// - Parameters:
  ///   - id: A known id: anything else must not become an argument.
  ///   - words: The arguments after the id.
  /// - Throws: ``Refusal``.
  func output(
    of command: String, _ id: String, _ words: [String] = [], architecture: String?
  ) throws -> [UInt8] {
    guard !Self.isBusy.exchange(true, ordering: .acquiring) else { throw Refusal.busy }
    defer { Self.isBusy.store(false, ordering: .releasing) }
    var all = ["mayday", command, id] + words + ["--home", context.store.home]
    if let architecture { all += ["--arch=" + architecture] }
    let nothing = try OpenFile.opening("/dev/null")
    var child = try SandboxedChild(all, input: nothing.number, patience: Self.patience)
    guard let text = child.all(limit: Self.limit) else { throw Refusal.exceedsLimits }
    return text
  }
}
