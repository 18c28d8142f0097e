import Arguments
import CommandSupport
import JSON
import Scrubbing

/// `mayday scrub show`
struct ScrubShowCommand: Command {
  static let name = "show"
  static let summary = "Print the scrubbing rules of the home."
  static let discussion = """
    Rules are in scrub.conf in the home: built-in lists, your own patterns, and names whose values \
    are secret. Without that file, the built-in list secrets applies.
    """
  static let examples = [Example("mayday scrub show", "The lists, patterns and names.")]

  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    try ScrubRulesText(rules: ScrubRules(file: nil, home: home))
      .print(to: output.console, isJSON: output.json)
  }
}
