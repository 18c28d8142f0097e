/// A shell's completions of a program, generated from what its commands declare.
///
/// Values that only the program knows come from it: `mayday __complete KIND -- CURRENT WORD...`
/// prints the values that may stand for the current word, one a line, each with a tab and its
/// meaning if it has one. The words are those of the command line before the current one.
public enum CompletionScript {
  public enum Shell: String, CaseIterable, ArgumentValue, Sendable {
    case bash, zsh, fish
  }

  /// - Parameter hints: The completions for the values of a name, such as `FILE`; nothing for the
  ///   others.
  public static func text(
    for shell: Shell, of program: CommandDescription, hints: [String: ValueHint]
  ) -> String {
    let table = CompletionTable(program, hints: hints)
    return switch shell {
    case .bash: BashCompletion(table: table).text
    case .zsh: ZshCompletion(table: table).text
    case .fish: FishCompletion(table: table).text
    }
  }

  /// The text as one word of a shell.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
