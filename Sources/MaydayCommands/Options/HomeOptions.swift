import Arguments
import CrashStore
import Glibc

/// Where the store is.
struct HomeOptions {
  @Option(
    "--home", help: "Where reports and debug files are kept; else $XDG_DATA_HOME/mayday.",
    value: "DIR")
  var home: String?

  /// The store, made when it is not there.
  func open() throws -> CrashStore { try CrashStore(opening: Self.folder(named: home)) }

  /// The store, or `nil` when nothing has been stored yet: reading leaves nothing behind.
  func openForReading() throws -> CrashStore? {
    let folder = try Self.folder(named: home)
    return access(folder + "/mayday.db", F_OK) == 0 ? try CrashStore(opening: folder) : nil
  }

  /// Source of the default: the XDG Base Directory Specification.
  static func folder(named home: String?) throws -> String {
    if let home { return home }
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/mayday" }
    if let user = variable("HOME") { return user + "/.local/share/mayday" }
    throw CommandFailure("no home: give --home DIR", .wrongUsage)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
