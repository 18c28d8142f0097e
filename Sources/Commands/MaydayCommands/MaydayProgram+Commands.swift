import Arguments
import Bytes
import CommandSupport

extension MaydayProgram {
  /// The commands with options that can be configured, limited to those that `words` name.
  ///
  /// - Throws: ``CommandFailure`` that names the word that is not a command.
  static func configurableCommands(named words: [String]) throws -> [CommandDescription] {
    leaves(of: try command(named: words)).filter { !$0.ignoresSettings }
  }

  /// The command that `words` name after the program's name.
  ///
  /// - Throws: ``CommandFailure`` that names the word that is not a command.
  static func command(named words: [String]) throws -> CommandDescription {
    var description = program.description
    for word in words {
      guard let next = description.subcommands.first(where: { $0.name == word }) else {
        let parent = description.path.dropFirst().joined(separator: " ")
        throw CommandFailure(
          "unknown command '\(word.printable)'" + (parent.isEmpty ? "" : " of '\(parent)'"),
          .wrongUsage)
      }
      description = next
    }
    return description
  }

  private static func leaves(of description: CommandDescription) -> [CommandDescription] {
    description.subcommands.isEmpty
      ? [description] : description.subcommands.filter { !$0.isHidden }.flatMap(leaves)
  }
}
