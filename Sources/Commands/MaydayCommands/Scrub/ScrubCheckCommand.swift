import Arguments
import Bytes
import CommandSupport
import Scrubbing

/// `mayday scrub check`
struct ScrubCheckCommand: Command {
  static let name = "check"
  static let summary = "Check a scrubbing file before using it."
  static let discussion = """
    Without FILE, checks the home's rules. On a mistake it names the line and exits with 1.
    """
  static let examples = [
    Example("mayday scrub check new.conf", "Check it before it replaces scrub.conf.")
  ]

  @Argument("FILE", help: "A scrubbing file; by default the home's.") var file: String?
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let rules = try ScrubRules(file: file, home: home)
    // All patterns together may exceed the limit.
    _ = try Scrubber(rules)
    try ScrubRulesText(rules: rules).print(to: output.console, isJSON: output.json)
  }
}
