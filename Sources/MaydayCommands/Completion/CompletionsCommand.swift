import Arguments

/// `mayday completions`
struct CompletionsCommand: Command {
  static let name = "completions"
  static let summary = "Print the completions for a shell."
  static let discussion = """
    They know the commands, options and choices by themselves, and ask the store for apps, groups, \
    reports and versions.
    """
  static let examples = [
    Example(
      "mayday completions bash > ~/.local/share/bash-completion/completions/mayday",
      "For bash with the package bash-completion; else put it into ~/.bashrc."),
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
