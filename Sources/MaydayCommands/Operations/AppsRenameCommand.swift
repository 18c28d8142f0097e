import Arguments

/// `mayday apps rename`
struct AppsRenameCommand: Command {
  static let name = "rename"
  static let summary = "Give an app another name."
  static let discussion = """
    Its reports, groups and figures stay, and so do the ids of groups; `mayday apps set --prefix` changes \
    these. Reports that still come under the old name are the app's too.
    """
  static let examples = [Example("mayday apps rename Tern Sterna", "Tern is Sterna from now on.")]

  @Argument("NAME", help: "The name that it has.") var old: String
  @Argument("NEW", help: "The name that it gets, which must be new.") var name: String
  @OptionGroup var home = SourceOfAnswers()
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    try home.answers().renameApp(old, to: name)
  }
}
