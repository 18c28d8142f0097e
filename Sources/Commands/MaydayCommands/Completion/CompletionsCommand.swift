import Terminal
import Arguments

/// `mayday completions`
struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "Print a completion script for a shell."
  static let discussion = """
    The script knows all commands, options and choices, and asks the home for apps, groups, \
    reports and versions.
    """
  static let examples = [
    Example(
      "mayday completions bash > ~/.local/share/bash-completion/completions/mayday",
      "For bash with the bash-completion package; without it, add the script to ~/.bashrc."),
    Example(
      "mayday completions zsh > ~/.zfunc/_mayday", "For zsh, in a folder that $fpath names."),
    Example("mayday completions fish > ~/.config/fish/completions/mayday.fish", "For fish."),
  ]
  static let ignoresSettings = true

  @Argument("SHELL", help: "bash, zsh or fish.") var shell: CompletionScript.Shell

  func run() throws {
    let text = CompletionScript.text(
      for: shell, of: MaydayProgram.program.description, hints: ValueHints.byName)
    try Console(colour: .never).write(text)
  }
}
