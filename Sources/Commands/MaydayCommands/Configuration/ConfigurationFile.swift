import Arguments
import Bytes
import Glibc
import INI

/// The file with a user's settings for every run.
struct ConfigurationFile {
  /// The path it was read from; `nil` if there is none.
  let path: String?
  let settings: Settings

  /// The most bytes of a file; a longer one is an error.
  private static let sizeLimit = 1 << 18

  /// - Parameter named: The value of `--config`.
  /// - Throws: `FileError` for a file that cannot be read, or that was named and does not exist;
  ///   `SettingsError` for a malformed one.
  init(named: String?) throws {
    guard let (path, isNamed) = Self.path(named: named), isNamed || access(path, F_OK) == 0 else {
      path = nil
      settings = Settings()
      return
    }
    self.path = path
    settings = try Self.read(path)
  }

  /// The default path.
  ///
  /// Source of the default: the XDG Base Directory Specification.
  static func path(named: String?) -> (path: String, isNamed: Bool)? {
    if let named = named ?? variable("MAYDAY_CONFIG") { return (named, true) }
    if let folder = variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      return (folder + "/mayday/mayday.conf", false)
    }
    return variable("HOME").map { ($0 + "/.config/mayday/mayday.conf", false) }
  }

  static func read(_ path: String) throws -> Settings {
    if path == "/dev/null" { return Settings() }
    let bytes = try ByteView(reading: path, limit: sizeLimit)
    return Settings(try lines(of: bytes, path).map { entry(of: $0, in: path) })
  }

  private static func lines(
    of bytes: ByteView, _ path: String
  ) throws(SettingsError) -> [INIEntry] {
    do {
      return try INIFile(parsing: bytes).entries
    } catch {
      throw SettingsError(problems: ["\(path):\(error.line): \(error.reason)"])
    }
  }

  private static func entry(of line: INIEntry, in path: String) -> Settings.Entry {
    var section = line.section.split(whereSeparator: \.isWhitespace).map(String.init)
    if section == [Mayday.name] { section = [] }
    var value = line.value
    if value.hasPrefix("~/"), let home = variable("HOME") { value = home + value.dropFirst() }
    return Settings.Entry(
      section: section, name: line.name, value: value, location: "\(path):\(line.line)")
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
