import Bytes
import Glibc
import JSON
import TestSupport

@testable import MaydayCommands

extension Run {
  /// Runs `mayday` under a shell, which may set limits for it.
  ///
  /// - Parameters:
  ///   - before: Shell commands, such as a limit.
  ///   - output: Destination of standard output; `nil` for a pipe that is read.
  init(
    after before: String, _ arguments: [String], to output: String? = nil,
    environment: [String: String] = [:]
  ) {
    let script = before + "\nexec \"$0\" \"$@\"" + (output.map { " >" + $0 } ?? "")
    self.init(
      ["-c", script, BuiltProgram.mayday] + arguments, environment: environment,
      program: "/bin/sh")
  }

  /// Whether a file system can be mounted in a private namespace, which only root may do.
  static let mayMount =
    Run(["-m", "/bin/sh", "-c", "mount -t tmpfs none /mnt"], program: "/usr/bin/unshare").status
    == 0

  /// Runs `mayday` with the given megabytes of address space, which bounds its memory.
  init(megabytes: Int, _ arguments: [String]) {
    self.init(after: "ulimit -S -v \(megabytes << 10)", arguments)
  }

  /// The output as JSON; null if it is not JSON.
  var json: JSONValue {
    (try? JSONDocument.parse(ByteView(Array(output.utf8))).value) ?? .null
  }

  /// The reason why a triage refused the file whose path ends in `name`.
  func refusal(of name: String) -> String? {
    json["unrecognised"]?.array?.first { $0["file"]?.string?.hasSuffix(name) == true }?["reason"]?
      .string
  }

  /// The notes of all groups' reports.
  var notes: [String] {
    json["groups"]?.array?.flatMap { $0["report"]?["notes"]?.array ?? [] }.compactMap(\.string)
      ?? []
  }

  var reportCount: Int? { json["counts"]?["reports"]?.integer }
}

extension ScratchFolder {
  /// Creates a file of `size` bytes that takes no disk space: `start`, then a hole.
  func sparse(_ name: String, _ start: [UInt8], size: Int) -> String {
    let path = write(name, start)
    truncate(path, size)
    return path
  }

  /// Copies a sample into the folder.
  @discardableResult
  func copy(_ sample: String, as name: String) throws -> String {
    write(name, try Samples.bytes(sample))
  }
}

/// The duration of `body` in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let elapsed = try ContinuousClock().measure(body)
  return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
}

extension Samples {
  static func contents(of path: String) throws -> [UInt8] {
    try ByteView(reading: path, limit: 1 << 24).array
  }
}
