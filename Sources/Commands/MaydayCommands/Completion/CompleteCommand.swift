import Arguments
import Bytes
import CommandSupport
import CrashStore
import OfflineCommands
import Query
import Rendering
import ReportFormats
import Terminal

/// `mayday __complete`, which shell completions call while a command line is typed.
///
/// Prints the candidates for the current word, one per line, with a tab and a description if there
/// is one. Prints nothing where nothing is known.
struct CompleteCommand: Command {
  static let name = "__complete"
  static let summary = "Print the completions of the word being typed."
  static let isHidden = true
  static let ignoresSettings = true

  @Argument("KIND", help: "The kind of value.") var kind: CompletionKind
  @Argument("CURRENT", help: "What has been typed so far, after --.") var current: String
  @Argument("WORD", help: "The words of the command line before it.", isRequired: false)
  var words: [String]

  /// The most candidates printed: longer lists are of no help.
  private static let limit = 100

  func run() throws {
    let lines = candidates.filter { $0.name.hasPrefix(current) || kind == .group || kind == .id }
      .map { candidate in
        // A tab separates the two; each candidate is one line.
        candidate.meaning.isEmpty
          ? candidate.name.printable
          : candidate.name.printable + "\t" + candidate.meaning.printable.truncated(to: 60)
      }
    try Console(colour: .never).write(lines: lines)
  }

  private typealias Candidate = (name: String, meaning: String)

  private var candidates: [Candidate] {
    switch kind {
    case .command: return commands
    case .query: return queries
    case .field: return QueryHints.countable.map { ($0.name, $0.meaning) }
    case .format: return KnownFormat.byFamily.map { ("\($0.format)", $0.about.plainTitle) }
    case .app, .group, .id, .version: break
    }
    guard let folder, let names = StoreNames(in: folder) else { return [] }
    switch kind {
    case .app: return names.apps().map { ($0, "") }
    case .group: return groups(names, current)
    case .id: return groups(names, current) + reports(names)
    case .version: return names.versions().prefix(Self.limit).map { ($0, "") }
    case .command, .query, .field, .format: return []
    }
  }

  private func groups(_ names: borrowing StoreNames, _ prefix: String) -> [Candidate] {
    names.groups(prefix: prefix, limit: Self.limit).map { group in
      (group.name, "\(group.reports)× \(group.title)")
    }
  }

  /// Without a digit there are too many to choose from.
  private func reports(_ names: borrowing StoreNames) -> [Candidate] {
    current.isEmpty
      ? [] : names.reports(prefix: current, limit: Self.limit).map { ($0, "a report") }
  }

  /// A condition is offered up to its colon, and then with its values.
  private var queries: [Candidate] {
    let dash = current.hasPrefix("-") ? "-" : ""
    let text = current.dropFirst(dash.count)
    guard let colon = text.firstIndex(of: ":") else {
      return QueryHints.fields.map { (dash + $0.name + ":", $0.meaning) }
    }
    let field = String(text[..<colon])
    let value = String(text[text.index(after: colon)...])
    func conditions(_ values: [Candidate]) -> [Candidate] {
      values.map { (dash + field + ":" + $0.name, $0.meaning) }
    }
    if let choices = QueryHints.choices(of: field) {
      return conditions(choices.map { ($0, "") })
    }
    guard let folder, let names = StoreNames(in: folder) else { return [] }
    switch field {
    case "app": return conditions(names.apps().map { ($0, "") })
    case "version": return conditions(names.versions().prefix(Self.limit).map { ($0, "") })
    case "group": return conditions(groups(names, value))
    default: return []
    }
  }

  /// The words that may follow those after the last `man`, `help` or `show`.
  private var commands: [Candidate] {
    var description = MaydayProgram.program.description
    let start = words.lastIndex { ["man", "show", "example"].contains($0) }
    for word in words[(start.map { $0 + 1 } ?? words.count)...] {
      guard let next = description.subcommands.first(where: { $0.name == word }) else { return [] }
      description = next
    }
    return description.subcommands.filter { !$0.isHidden }.map { ($0.name, $0.summary) }
  }

  /// The home named on the command line being typed. Default: the one in effect.
  private var folder: String? {
    let named = CommandLineWords(words).value(of: "--home") ?? configuredHome
    return try? HomeOptions.folder(named: named)
  }

  private var configuredHome: String? {
    let named = CommandLineWords(words).value(of: "--config")
    if let home = ProgramEnvironment.variables["MAYDAY_HOME"], !home.isEmpty { return home }
    let settings = try? ConfigurationFile(named: named).settings
    return settings?.entries.last { $0.section.isEmpty && $0.name == "home" }?.value
  }
}
