internal import Arguments
internal import JQ
package import Terminal

/// Whether a command prints JSON, and which part of it.
package struct JSONOptions {
  @Option(
    "--json", implied: JSONChoice.all,
    help: "Print JSON; with FIELDS only these members, such as id,reports.", value: "FIELDS")
  var choice: JSONChoice?
  @Option("--jq", help: "Print the results of this program of jq on the JSON.", value: "PROGRAM")
  var program: JQText?

  package init() {}

  /// Whether JSON is printed: `--jq` implies it.
  package var isOn: Bool { isChosen || program != nil }

  /// Whether `--json` is given, rather than implied by `--jq`.
  package var isChosen: Bool { choice.map { $0 != .none } ?? false }
  /// Whether less than the whole document is printed.
  package var isFiltered: Bool { filter != nil }

  /// The filter for the JSON; `nil` where it is printed whole.
  package var filter: JSONFilter? {
    let fields = if case .fields(let names)? = choice { names } else { [String]() }
    guard !fields.isEmpty || program != nil else { return nil }
    return JSONFilter(fields: fields, program: program?.text)
  }
}

/// The value of `--json`.
enum JSONChoice: Hashable, Sendable, ArgumentValue {
  case all
  /// For a variable or a setting that turns it off.
  case none
  case fields([String])

  /// - Parameter argument: Names of members, separated by commas, or `yes` or `no`, as flags are set.
  init?(argument: String) {
    switch argument.lowercased() {
    case "1", "yes", "true", "on": self = .all
    case "0", "no", "false", "off": self = .none
    default:
      // Lists call the same columns by names with dashes.
      let names = argument.split(separator: ",", omittingEmptySubsequences: false)
        .map { String($0.map { $0 == "-" ? "_" : $0 }) }
      guard names.allSatisfy(Self.isName) else { return nil }
      self = .fields(names)
    }
  }

  var argument: String {
    switch self {
    case .all: "yes"
    case .none: "no"
    case .fields(let names): names.joined(separator: ",")
    }
  }

  static var valueName: String { "FIELDS" }
  static var example: String? { "id,reports" }

  /// Names with a comma between them are hardly a path, or words to search for.
  static func isPlain(_ word: String) -> Bool {
    guard word.contains(","), let choice = JSONChoice(argument: word) else { return false }
    return if case .fields = choice { true } else { false }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) || (65...90).contains(first)
    else { return false }
    return text.utf8.allSatisfy {
      (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95
    }
  }
}

/// A program of jq on the command line, compiled to see that it is one.
struct JQText: Hashable, Sendable, ArgumentValue {
  let text: String

  init?(argument: String) {
    guard (try? JQProgram(argument)) != nil else { return nil }
    text = argument
  }

  var argument: String { text }
  static var valueName: String { "PROGRAM" }
  static var example: String? { ".[].id" }

  static func refusal(of argument: String) -> String? {
    do throws(JQError) {
      _ = try JQProgram(argument)
      return nil
    } catch {
      return error.description
    }
  }
}
