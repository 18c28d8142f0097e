import Arguments
import JSON
import Scrubbing

/// `mayday scrub show`
struct ScrubShowCommand: Command {
  static let name = "show"
  static let summary = "Print the rules that hold for the home."
  static let discussion = """
    Rules stand in scrub.conf of the home: lists that come with the program, own patterns, and names \
    whose values are secrets. Without that file the list secrets is used.
    """
  static let examples = [Example("mayday scrub show", "Lists, patterns, names.")]

  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    try ScrubRulesText(rules: ScrubRules(home: home.existingFolder()))
      .print(to: output.console, isJSON: output.json)
  }
}
