import Arguments
import Bytes
import CommandSupport
import Glibc
import Grouping

/// `--rules` and `--builtin`, for commands that sign reports without a home.
struct GroupingOptions {
  @Option(
    "--rules", help: "For files: rules of your own, which come after the built-in ones.",
    value: "FILE")
  var file: String?
  @Option(
    "--builtin", help: "For files: the built-in rules, v1.", value: "VERSION")
  var version: String?

  /// - Throws: ``CommandFailure`` with each error in the file.
  func rules() throws -> GroupingRules {
    let rules = try GroupingRules(named: version)
    return try rules.with(file.map { try CustomRules(file: $0) })
  }
}

extension GroupingRules {
  /// - Parameter version: By default that of apps that never chose any.
  init(named version: String?) throws {
    guard let version else {
      self = .standard
      return
    }
    guard let rules = GroupingRules(builtIn: version) else {
      let known = GroupingRules.builtIn.map(\.version).joined(separator: ", ")
      throw CommandFailure(
        "\(version.printable): no built-in rules are called that; there are \(known)", .wrongUsage)
    }
    self = rules
  }
}

extension CustomRules {
  private static let sizeLimit = 1 << 19

  /// - Parameter path: `-` is standard input.
  /// - Throws: ``CommandFailure`` with each error, its file, line and column.
  init(file path: String) throws {
    let name = path == "-" ? "standard input" : path
    let bytes =
      path == "-"
      ? try ByteView(descriptor: STDIN_FILENO, name: name, limit: Self.sizeLimit)
      : try ByteView(reading: path, limit: Self.sizeLimit)
    do {
      try self.init(parsing: bytes.text)
    } catch {
      let lines = error.problems.map { "\(name):\($0)".printable }
      throw CommandFailure(lines.joined(separator: "\nmayday: "), .wrongUsage)
    }
  }
}
