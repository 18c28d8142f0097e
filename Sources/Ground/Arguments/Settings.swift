/// The options in a configuration file: they hold where neither the command line nor the
/// environment speaks.
public struct Settings: Hashable, Sendable {
  /// One line of the file.
  public struct Entry: Hashable, Sendable {
    /// The words that call the command after the program's name, `["symbols", "add"]`; those of a
    /// command that has further ones stand for all of them; empty for every command.
    public let section: [String]
    /// The long name of an option without its dashes: `no-inlines`.
    public let name: String
    public let value: String
    /// Where it stands, for messages: `mayday.conf:3`.
    public let location: String

    public init(section: [String], name: String, value: String, location: String) {
      self.section = section
      self.name = name
      self.value = value
      self.location = location
    }
  }

  public var entries: [Entry]

  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The lines that count for an option of a command: those of the section that names it best.
  ///
  /// - Parameter path: The words that call the command after the program's name.
  func entries(for parameter: Parameter, of path: [String]) -> [Entry] {
    let names = parameter.settingNames
    let shortest = parameter.isShared ? 0 : path.count
    for length in stride(from: path.count, through: shortest, by: -1) {
      let section = Array(path.prefix(length))
      let found = entries.filter { $0.section == section && names.contains($0.name) }
      if !found.isEmpty { return found }
    }
    return []
  }
}

/// Settings that mean nothing, each in words that name its location.
public struct SettingsError: Error, Hashable, Sendable {
  public let problems: [String]

  public init(problems: [String]) { self.problems = problems }
}
