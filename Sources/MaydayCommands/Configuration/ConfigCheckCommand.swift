import Arguments

/// `mayday config check`
struct ConfigCheckCommand: Command {
  static let name = "check"
  static let summary = "Tell what is wrong with a configuration file."
  static let discussion = """
    Each mistake is a line with the place and what was probably meant. Exits with 0 when there is \
    none, with 2 when there is one.
    """
  static let examples = [
    Example("mayday config check", "The file that counts."),
    Example("mayday config check build/mayday.conf", "Another one, before it is put in place."),
  ]
  static let ignoresSettings = true

  @Argument("FILE", help: "The file; else the one that counts.") var file: String?
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    let found = try ConfigurationFile(named: file ?? general.config)
    let console = Console(colour: .auto)
    guard let path = found.path else { return console.say("There is no configuration file.") }
    try MaydayProgram.program.check(found.settings)
    console.say(
      "\(path.printable): \(GroupText.count(found.settings.entries.count, "setting", "settings")), all fine"
    )
  }
}
