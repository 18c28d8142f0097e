package import Arguments
internal import Bytes
package import CrashStore
internal import Glibc
internal import Terminal

/// Options for the location of the store.
package struct HomeOptions {
  @Option(
    "--home", help: "The data directory; by default $XDG_DATA_HOME/mayday.",
    value: "DIR")
  package var home: String?

  package init() {}

  /// Size of the databases' page caches. The cache of the reader comes on top, half as large as the writer's.
  private static let cacheBytes = 48 << 20

  /// The store, created if it does not exist, for a command that stores reports or debug files: in a home of
  /// any size it takes little memory.
  package func open() throws -> CrashStore {
    let folder = try folder()
    return try Self.showingProgress {
      try CrashStore(opening: folder, cacheBytes: Self.cacheBytes, progress: $0)
    }
  }

  /// Shows how far a home is prepared while it is opened, if that takes more than a moment.
  private static func showingProgress(
    _ open: (_ progress: (_ done: Int, _ total: Int) -> Void) throws -> CrashStore
  ) throws -> CrashStore {
    let bar = ProgressBar("Preparing the home", isOn: isatty(STDERR_FILENO) == 1)
    defer { bar.finish() }
    return try open { if $1 >= 100 { bar.update($0, of: $1) } }
  }

  /// The store, which must exist: reading creates nothing.
  ///
  /// - Throws: `FileError` that names a home that does not exist or may not be read;
  ///   ``CommandFailure`` as ``folder()``.
  package func openForReading() throws -> CrashStore {
    let folder = try folder()
    try Self.check(folder)
    return try Self.showingProgress { try CrashStore(opening: folder, progress: $0) }
  }

  /// The store, if there is one. Only for commands that can work without a home: one that is named must
  /// exist.
  package func openIfThere() throws -> CrashStore? {
    guard !Self.isServerMeant || Self.isNamed else { return nil }
    if home != nil { return try openForReading() }
    return Self.isThere(try Self.folder(named: nil)) ? try openForReading() : nil
  }

  /// The home folder, for a command that works on a home of this machine.
  ///
  /// - Throws: ``CommandFailure`` if a server is set and no home is named: the user means the server's home,
  ///   and would not notice that another one was changed.
  package func folder() throws -> String {
    guard !Self.isServerMeant || Self.isNamed else {
      let clash = home.map { " $MAYDAY_SERVER and the home \($0.printable) are both set." } ?? ""
      throw CommandFailure(
        "MAYDAY_SERVER is set, and this command works on a home of this machine only: name it with"
          + " --home DIR, or run the command on the server's machine.\(clash)", .wrongUsage)
    }
    return try Self.folder(named: home)
  }

  /// The home folder; one that is named must exist.
  ///
  /// - Throws: `FileError` if it does not.
  package func existingFolder() throws -> String {
    let folder = try folder()
    if home != nil, access(folder, R_OK | X_OK) != 0 { throw Self.noHome(folder, errno) }
    return folder
  }

  /// Source of the default: the XDG Base Directory Specification.
  package static func folder(named home: String?) throws -> String {
    if let home { return home }
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/mayday" }
    if let user = variable("HOME") { return user + "/.local/share/mayday" }
    throw CommandFailure("no home: give --home DIR", .wrongUsage)
  }

  /// - Throws: `FileError` for a folder without a home, or one that may not be used.
  private static func check(_ folder: String) throws {
    var status = stat()
    guard stat(folder, &status) == 0 else { throw noHome(folder, errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileError("open home", path: folder, code: ENOTDIR, detail: "it is not a folder")
    }
    for name in ["mayday.db", "blobs/small.db"] {
      let path = "\(folder)/\(name)"
      guard access(path, F_OK) == 0 else {
        if errno == ENOENT, name == "mayday.db" { throw noHome(folder, errno) }
        if errno == ENOENT {
          throw CommandFailure(
            "\(path.printable): missing: the home is damaged; restore a backup: mayday restore"
          )
        }
        throw FileError("open home", path: path)
      }
      guard access(path, R_OK | W_OK) == 0 else { throw FileError("open home", path: path) }
    }
  }

  private static func isThere(_ folder: String) -> Bool {
    access(folder + "/mayday.db", F_OK) == 0 || errno != ENOENT
  }

  private static func noHome(_ folder: String, _ code: Int32) -> FileError {
    guard code == ENOENT || code == ENOTDIR else {
      return FileError("open home", path: folder, code: code)
    }
    return FileError(
      "open home", path: folder, code: code,
      detail: "there is no home; `mayday ingest` creates one, --home chooses another")
  }

  /// Whether the command line names a home; what it names counts, whatever else is set.
  package static var isNamed: Bool { isOnCommandLine("--home") }

  /// Whether an option is given on the command line, rather than by a variable or a setting.
  package static func isOnCommandLine(_ option: String) -> Bool {
    CommandLine.arguments.contains { $0 == option || $0.hasPrefix(option + "=") }
  }

  private static var isServerMeant: Bool {
    ProgramEnvironment.variables["MAYDAY_SERVER"].map { !$0.isEmpty } ?? false
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
