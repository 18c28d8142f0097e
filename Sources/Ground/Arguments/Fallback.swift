/// Where the value of an option comes from.
public enum OptionSource: Hashable, Sendable {
  /// The command's own declaration.
  case builtIn
  /// A line of the configuration file: `mayday.conf:3`.
  case settings(location: String)
  /// An environment variable: `MAYDAY_HOME`.
  case environment(variable: String)

  /// The name of the source in a message: `$MAYDAY_HOME`.
  func name(of parameter: Parameter) -> String {
    switch self {
    case .builtIn: parameter.displayName
    case .settings(let location): "\(location): \(parameter.settingName ?? parameter.displayName)"
    case .environment(let variable): "$" + variable
    }
  }
}

/// The values of an option that the command line does not give; a flag has `yes` or `no`.
struct Fallback {
  let values: [String]
  let source: OptionSource

  /// - Parameter path: The words that call the command after the program's name.
  /// - Returns: `nil` when only the command's own declaration is left.
  init?(
    for parameter: Parameter, of path: [String], prefix: String, environment: [String: String],
    settings: Settings
  ) {
    for variable in parameter.environmentVariables(prefix: prefix) {
      guard let text = environment[variable], !text.isEmpty else { continue }
      let isList = parameter.isRepeated
      values = isList ? text.split(separator: ":").map(String.init) : [text]
      source = .environment(variable: variable)
      return
    }
    let entries = settings.entries(for: parameter, of: path)
    guard let first = entries.first else { return nil }
    values = entries.map(\.value)
    source = .settings(location: first.location)
  }

  /// Whether a variable or a setting turns a flag on; `nil` for a word that says neither.
  static func isOn(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "yes", "true", "on": true
    case "0", "no", "false", "off": false
    default: nil
    }
  }
}
