import Rendering
import Arguments

/// A configuration file with every option as a comment.
struct ConfigExample {
  let commands: [CommandDescription]

  /// The number of commands from which on a common option is listed once, for all of them.
  private static let sharedByAtLeast = 3

  var text: String {
    let shared = sharedOptions
    var sections = [
      """
      # Configuration of mayday: \(Self.defaultPath)
      #
      # A name is that of an option without its dashes, a value the rest of the line.
      # Flags are yes or no; an option that may be given more than once has a line for
      # each value. The command line and the environment override this file.

      """
    ]
    if !shared.isEmpty {
      sections.append("[mayday]\n# For every command that has the option.\n" + lines(of: shared))
    }
    for command in commands {
      let own = command.options.filter { option in
        !Self.isLeftOut(option) && !shared.contains { $0.names == option.names }
      }
      guard !own.isEmpty else { continue }
      let title = command.path.dropFirst().joined(separator: " ")
      sections.append("[\(title)]\n# \(command.summary)\n" + lines(of: own))
    }
    return sections.joined(separator: "\n")
  }

  private static let defaultPath = "~/.config/mayday/mayday.conf"

  /// The options that several commands share, with the same help.
  private var sharedOptions: [Parameter] {
    guard commands.count >= Self.sharedByAtLeast else { return [] }
    var counts: [[String]: Int] = [:]
    var forms: [[String]: Set<Parameter>] = [:]
    var order: [Parameter] = []
    for option in commands.flatMap(\.options) where option.isShared && !Self.isLeftOut(option) {
      if counts[option.names] == nil { order.append(option) }
      counts[option.names, default: 0] += 1
      forms[option.names, default: []].insert(option)
    }
    return order.filter {
      counts[$0.names, default: 0] >= Self.sharedByAtLeast && forms[$0.names]?.count == 1
    }
  }

  /// A file does not name itself.
  private static func isLeftOut(_ option: Parameter) -> Bool {
    option.names == GeneralOptions.config
  }

  private func lines(of options: [Parameter]) -> String {
    options.map { option in
      let comment = option.help.lines(of: 76).map { "# \($0)\n" }.joined()
      let value =
        option.kind == .flag
        ? "yes" : option.defaultText ?? option.choices.first ?? option.valueName
      return "\n\(comment)#\(option.settingName ?? "") = \(value)\n"
    }.joined()
  }
}
